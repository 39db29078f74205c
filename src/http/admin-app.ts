import type { IncomingMessage, ServerResponse } from "node:http";
import type { HostedWorld } from "../world/hosted-world.js";
import { type AdminParts, adminRoutes } from "./admin-routes.js";
import { answerDefect, sendAdminFailure } from "./send-json.js";

declare global {
  namespace Express {
    interface Locals {
      /** The world that an admin call is made in. */
      world: HostedWorld;
    }
  }
}

/** Where an admin call is made. */
interface AdminPlace {
  readonly world: HostedWorld;
  /** The target with the prefix of the world. */
  readonly target: string;
}

/**
 * The admin API of every world, an Express app. Only the first admin call loads Express and builds the routes: most
 * mocks are steered by the process that they run in, and need neither.
 */
export function adminApp(parts: AdminParts) {
  let loading: Promise<ExpressApp> | undefined;
  return (req: IncomingMessage, res: ServerResponse, { world, target }: AdminPlace): void => {
    if (!isDecodable(target)) {
      const message = `${target} cannot be decoded. Write %25 for a percent sign.`;
      sendAdminFailure(res, 400, { code: "bad_request", message });
      return;
    }
    const fail = (defect: unknown) => answerDefect(defect, res, parts.report);
    loading ??= loadApp(parts).catch((defect) => {
      // An install may be replacing the package right now: the next call tries again.
      loading = undefined;
      throw defect;
    });
    loading
      .then((app) => {
        // Express sets both only where they are not there yet.
        Object.assign(req, { originalUrl: target });
        Object.assign(res, { locals: { world } });
        app(req, res, fail);
      })
      .catch(fail);
  };
}

/** An Express app, with the argument that its types leave out: it is called with what a route throws. */
type ExpressApp = (req: IncomingMessage, res: ServerResponse, failed: (defect: unknown) => void) => void;

async function loadApp(parts: AdminParts): Promise<ExpressApp> {
  const { default: express } = await import("express");
  const app = express();
  app.disable("x-powered-by");
  app.use("/__admin", adminRoutes(parts, express.Router));
  return app as ExpressApp;
}

/** Express would answer this too, but only after a setImmediate, which a test may have replaced. */
function isDecodable(target: string): boolean {
  try {
    decodeURIComponent(target.split("?")[0] ?? "");
    return true;
  } catch {
    return false;
  }
}
