import type { ErrorBody, ErrorCode } from "../contract/generated";

/** Why a command was refused, or why the app could not be asked: a code, and a sentence to show. */
export class SidekicksError extends Error {
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor({ code, message, data }: Partial<ErrorBody> & Pick<ErrorBody, "code" | "message">) {
    super(message);
    this.name = "SidekicksError";
    this.code = code;
    this.data = data ?? {};
  }
}

/** The secret is no longer that of a running app: only a new link helps. */
export class SecretRefused extends SidekicksError {
  constructor(message: string) {
    super({ code: "no_access", message });
    this.name = "SecretRefused";
  }
}
