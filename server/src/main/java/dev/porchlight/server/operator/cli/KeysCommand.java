// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.openid.grant.Authorizations;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The keys that tokens are signed with. */
@Command(name = "keys", header = "List or rotate the keys that tokens are signed with.")
final class KeysCommand extends CommandGroup {
    @Command(name = "list", header = "List the ids of the published keys, the signing key first.")
    void list() throws Exception {
        List<String> names = storage().keyRing().names();
        print(
                names,
                name -> name + (name.equals(names.get(0)) ? "  signs" : "  published until its tokens have expired"),
                "There is no key yet. The service creates the first one when it starts.");
    }

    @Command(
            name = "rotate",
            header = "Create a new key and sign with it from now on.",
            description = {
                "",
                "Running instances use it within five seconds. The old key stays published until the last"
                        + " token it signed has expired, so no user is signed out.",
                "",
                "With --now all other keys are deleted, and the sign-ins of OpenID Connect clients with their refresh"
                        + " tokens. This service refuses the tokens at once; other services refuse them when they"
                        + " fetch the key set again. Sessions stay valid."
            })
    void rotate(@Option(names = "--now", description = "revoke all tokens that were issued so far") boolean now)
            throws Exception {
        if (now) {
            Authorizations.endAll(storage().sql());
        }
        out().println(storage().keyRing().rotate(now));
        audit(now ? AuditAction.KEY_REVOCATION : AuditAction.KEY_ROTATION, "");
    }
}
