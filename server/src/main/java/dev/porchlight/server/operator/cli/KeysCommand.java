// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.openid.grant.Authorizations;
import dev.porchlight.server.token.PublishedKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The keys that tokens are signed with. */
@Command(name = "keys", header = "List or rotate the keys that tokens are signed with.")
final class KeysCommand extends CommandGroup {
    @Command(name = "list", header = "List the published keys, the newest first.")
    void list(@Mixin Format format) throws Exception {
        format.print(listing()
                .table(
                        "",
                        "keys",
                        "There is no key yet. The service creates the first ones when it starts.",
                        "kid=key id",
                        "algorithm",
                        "signs",
                        "signsFrom",
                        "publishedUntil"));
    }

    private Listing listing() throws Exception {
        List<PublishedKey> keys = storage().keyRing().published();
        return Listing.of(json -> json.objects("keys", keys, (member, key) -> key.write(member)));
    }

    private static Instant time(long millis) {
        return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS);
    }

    @Command(
            name = "rotate",
            header = "Create new keys, one for each algorithm.",
            description = {
                "",
                "Running instances publish them within five seconds and sign with them five minutes later, when other"
                        + " services have them. An old key stays published until the last token it signed has expired,"
                        + " so no user is signed out.",
                "",
                "With --now all other keys are deleted, and the sign-ins to applications with their refresh"
                        + " tokens. This service refuses the tokens at once; other services refuse them when they"
                        + " fetch the key set again. Sessions stay valid."
            })
    void rotate(
            @Option(names = "--now", description = "revoke all tokens that were issued so far") boolean now,
            @Mixin Format format)
            throws Exception {
        if (now) {
            storage().keyRing().revoke(Authorizations::endAll);
        } else {
            storage().keyRing().rotate();
        }
        audit(now ? AuditAction.KEY_REVOCATION : AuditAction.KEY_ROTATION, "");
        Listing listing = listing();
        for (PublishedKey key : storage().keyRing().published()) {
            listing.note("The " + (key.until() == null ? "new" : "old") + " key " + key.kid() + " (" + key.algorithm()
                    + (key.until() == null
                            ? ") signs tokens from " + time(key.signsFrom()) + " on."
                            : ") stays published until " + time(key.until()) + ", when its last token has expired."));
        }
        format.print(
                now
                        ? listing.note("All other keys are deleted, and the tokens that they signed are refused.")
                        : listing);
    }
}
