import { useState } from "preact/hooks";
import { address } from "../api/client";
import { ApiError, offline } from "../api/error";
import { signIn } from "../api/session";
import { Button } from "../ui/Button";
import { ErrorNote } from "../ui/Feedback";
import { TextField } from "../ui/Field";

/** SignIn asks who somebody is, in the ways that this place has. */
export function SignIn({ ways }: { ways: { token: boolean; oidc: boolean } }) {
  const [token, setToken] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  return (
    <main class="sign-in">
      <form
        class="card"
        onSubmit={async (e) => {
          e.preventDefault();
          setBusy(true);
          setError(undefined);
          try {
            await signIn(token.trim());
          } catch (err) {
            setError(err instanceof ApiError ? err : offline());
          }
          setBusy(false);
        }}
      >
        <h1>Sign in to Solocron</h1>
        {ways.oidc && (
          <a class="button primary" href={address("/login/oidc")}>
            Sign in with your organisation
          </a>
        )}
        {ways.token && (
          <>
            <TextField
              label="Token"
              name="token"
              type="password"
              value={token}
              onText={setToken}
              required
              hint="One of the file of tokens; scheduler token hash makes one."
            />
            <Button look={ways.oidc ? "plain" : "primary"} submit busy={busy}>
              Sign in
            </Button>
          </>
        )}
        {!ways.token && !ways.oidc && (
          <p>
            Whoever comes here is known by a proxy or a certificate, and you are not. Ask whoever runs this.
          </p>
        )}
        {error && <ErrorNote error={error} />}
      </form>
    </main>
  );
}
