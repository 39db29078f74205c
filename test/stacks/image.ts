import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CliProcess, startProgram } from "../cli-process.js";
import { repository } from "../consumers/package-in-use.js";
import { run } from "../consumers/processes.js";

/**
 * An empty image is the base, because a registry of images may not be available. It has Node, npm and a shell from
 * folders of this machine: by the path where they are mounted. Not all of /usr, as the image adds to /usr/local.
 */
const foldersOfBase = {
  "/node": dirname(dirname(process.execPath)),
  ...Object.fromEntries(
    ["/usr/bin", "/usr/lib", "/bin", "/lib", "/lib64", "/etc/ssl"].map((path) => [path, path]),
  ),
};

const base = `FROM scratch
ENV PATH=/usr/local/bin:/node/bin:/usr/bin
# The certificate authorities of this machine, for the registry of npm packages.
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt npm_config_cafile=/etc/ssl/certs/ca-certificates.crt
WORKDIR /tmp
`;

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

/** Builds the Dockerfile. */
export async function buildImage(): Promise<Image> {
  const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-image-"));
  const places = ["--root", join(folder, "storage"), "--runroot", join(folder, "run")];
  const storage = [...places, "--storage-driver", "vfs"];
  const buildah = (...args: string[]) =>
    run("buildah", [...storage, ...args], { cwd: repository, env: { BUILDAH_ISOLATION: "chroot" } });
  const volumes = Object.entries(foldersOfBase).flatMap(([place, from]) => [
    "--volume",
    `${from}:${place}:ro`,
  ]);
  const build = (tag: string, ...args: string[]) =>
    buildah("bud", "--format", "docker", "--pull-never", ...volumes, "-t", tag, ...args);
  writeFileSync(join(folder, "Dockerfile"), base);
  await build("base", folder);
  await build("usergroup-mock", "--build-arg", "BASE=base", ".");
  const { Docker } = JSON.parse(await buildah("inspect", "--type", "image", "usergroup-mock"));
  const config: ImageConfig = Docker.config;
  const rootOf = async (image: string) => {
    const container = (await buildah("from", "--pull-never", image)).trim();
    return (await buildah("mount", container)).trim();
  };
  const [root, baseRoot] = [await rootOf("usergroup-mock"), await rootOf("base")];
  const sizeOf = async (path: string) =>
    Number.parseInt(await run("du", ["-s", "--apparent-size", "-B1", path], { cwd: folder }), 10);
  const addedBytes = (await sizeOf(root)) - (await sizeOf(baseRoot));
  mkdirSync(join(root, "proc"), { recursive: true });

  /** The command line that runs a command in the image, as process 1 of a new namespace. */
  const commandLine = (command: readonly string[], { env = {}, mounts = {} }: ContainerOptions) => {
    const bind = Object.entries({ ...foldersOfBase, ...mounts }).map(([place, from]) => {
      mkdirSync(join(root, place), { recursive: true });
      return `mount --bind -o ro ${from} ${root}${place}`;
    });
    const [uid, gid] = config.User.split(":");
    const script = [
      "set -e",
      `mount --bind ${root} ${root}`,
      ...bind,
      `mount -o remount,ro,bind ${root}`,
      `exec unshare --pid --fork --mount-proc --root=${root} --wd=${config.WorkingDir} --setgid=${gid} --setuid=${uid} env -i "$@"`,
    ];
    const variables = [...config.Env, ...Object.entries(env).map((pair) => pair.join("="))];
    return ["--mount", "sh", "-c", script.join("\n"), "sh", ...variables, ...command];
  };
  return {
    config,
    addedBytes,
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

/** The process id of process 1 of a container on this machine, and its status. */
export function processOne({ child }: CliProcess): { readonly pid?: number; readonly status: string } {
  const children = `/proc/${child.pid}/task/${child.pid}/children`;
  const pid = existsSync(children) ? Number(readFileSync(children, "utf8")) : 0;
  return pid === 0 ? { status: "" } : { pid, status: readFileSync(`/proc/${pid}/status`, "utf8") };
}
