import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CliProcess, startProgram } from "../cli-process.js";
import { repository } from "../consumers/package-in-use.js";
import { run } from "../consumers/processes.js";

/** The configuration of the image. */
interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly WorkingDir: string;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[] | null;
  readonly Healthcheck: { readonly Test: readonly string[]; readonly Interval: number };
}

export interface Image {
  readonly config: ImageConfig;
  /** Bytes on top of the base. */
  readonly addedBytes: number;
  /** Runs the entry point as process 1, on a read-only root, on the network of this machine. */
  start(args: readonly string[], given?: ContainerOptions): CliProcess;
  /** Runs the health check in such a container, and returns its exit code. */
  isHealthy(given?: ContainerOptions): boolean;
  remove(): Promise<void>;
}

export interface ContainerOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Directories of this machine, by the path where they are mounted. */
  readonly mounts?: Readonly<Record<string, string>>;
}

/** Builds the Dockerfile on a base with the Node of this machine: a registry of images may not be available. */
export async function buildImage(): Promise<Image> {
  const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-image-"));
  const places = ["--root", join(folder, "storage"), "--runroot", join(folder, "run")];
  const storage = [...places, "--storage-driver", "vfs"];
  const buildah = (...args: string[]) =>
    run("buildah", [...storage, ...args], { cwd: repository, env: { BUILDAH_ISOLATION: "chroot" } });
  const rootOf = async (image: string) => {
    const container = (await buildah("from", "--pull-never", image)).trim().split("\n").at(-1) ?? "";
    return (await buildah("mount", container)).trim();
  };
  writeBase(folder);
  await buildah("bud", "--format", "docker", "-t", "base", folder);
  const onBase = ["--pull-never", "--build-arg", "BASE=base"];
  await buildah("bud", "--format", "docker", ...onBase, "-t", "usergroup-mock", ".");
  const { Docker } = JSON.parse(await buildah("inspect", "--type", "image", "usergroup-mock"));
  const config: ImageConfig = Docker.config;
  const [root, baseRoot] = [await rootOf("usergroup-mock"), await rootOf("base")];
  const sizeOf = async (path: string) =>
    Number.parseInt(await run("du", ["-s", "--apparent-size", "-B1", path], { cwd: folder }), 10);

  /** The command line that runs a command in the image, as process 1 of a new namespace. */
  const commandLine = (command: readonly string[], { env = {}, mounts = {} }: ContainerOptions) => {
    for (const place of Object.keys(mounts)) mkdirSync(join(root, place), { recursive: true });
    const bind = Object.entries(mounts).map(([place, from]) => `mount --bind -o ro ${from} ${root}${place}`);
    const script = [
      "set -e",
      `mount --bind ${root} ${root}`,
      ...bind,
      `mount -t proc proc ${root}/proc`,
      `mount -o remount,ro,bind ${root}`,
      `exec chroot --userspec=${config.User} --groups= ${root} env -i -C ${config.WorkingDir} "$@"`,
    ];
    const variables = [...config.Env, ...Object.entries(env).map((pair) => pair.join("="))];
    const shell = ["sh", "-c", script.join("\n"), "sh", ...variables, ...command];
    return ["--pid", "--fork", "--mount", ...shell];
  };
  return {
    config,
    addedBytes: (await sizeOf(root)) - (await sizeOf(baseRoot)),
    start(args, given = {}) {
      const container = startProgram("unshare", commandLine([...config.Entrypoint, ...args], given));
      // Killing unshare would leave process 1 running.
      return {
        ...container,
        async [Symbol.asyncDispose]() {
          const { pid } = processOne(container);
          if (pid !== undefined) process.kill(pid, "SIGKILL");
          await container.exited;
        },
      };
    },
    isHealthy(given = {}) {
      const [kind, ...command] = config.Healthcheck.Test;
      if (kind !== "CMD") throw new Error(`a health check of the kind ${kind}`);
      return spawnSync("unshare", commandLine(command, given)).status === 0;
    },
    async remove() {
      await buildah("rm", "--all");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A directory with a Dockerfile and the files that Node, npm and a build need, copied from this machine. */
function writeBase(folder: string): void {
  const root = join(folder, "root");
  for (const name of ["bin", "lib", "lib64"]) {
    mkdirSync(join(root, "usr", name), { recursive: true });
    symlinkSync(`usr/${name}`, join(root, name));
  }
  for (const name of ["proc", "tmp", "etc"]) mkdirSync(join(root, name));
  const copy = (path: string, to = path) => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    cpSync(path, join(root, to), { recursive: true, dereference: true });
  };
  copy(process.execPath, "/usr/bin/node");
  const tools = ["sh", "env", "mkdir", "ln", "tar", "gzip"];
  for (const name of tools) copy(`/usr/bin/${name}`);
  for (const name of ["node", ...tools]) {
    const { stdout } = spawnSync("ldd", [join(root, "usr/bin", name)], { encoding: "utf8" });
    for (const [, library = ""] of stdout.matchAll(/(\/\S+) \(0x/g)) copy(library);
  }
  const { stdout: npm } = spawnSync("npm", ["root", "--global"], { encoding: "utf8" });
  copy(join(npm.trim(), "npm"), "/usr/lib/npm");
  symlinkSync("../lib/npm/bin/npm-cli.js", join(root, "usr/bin/npm"));
  // The certificate authorities of this machine, for the registry of npm packages.
  copy("/etc/ssl/certs/ca-certificates.crt");
  writeFileSync(
    join(folder, "Dockerfile"),
    [
      "FROM scratch",
      "COPY root /",
      "ENV PATH=/usr/local/bin:/usr/bin NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt",
      "ENV npm_config_cafile=/etc/ssl/certs/ca-certificates.crt",
    ].join("\n"),
  );
}

/** The process id of process 1 of a container on this machine, and its status. */
export function processOne({ child }: CliProcess): { readonly pid?: number; readonly status: string } {
  const children = `/proc/${child.pid}/task/${child.pid}/children`;
  const pid = existsSync(children) ? Number(readFileSync(children, "utf8")) : 0;
  return pid === 0 ? { status: "" } : { pid, status: readFileSync(`/proc/${pid}/status`, "utf8") };
}
