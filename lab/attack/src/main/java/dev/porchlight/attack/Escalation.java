// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.TestResponse;
import java.util.Map;
import java.util.UUID;

/** Operators of a lower role, and users without one, who try what only a higher role may do. */
final class Escalation extends Attack {
    /** What neither support nor an auditor may do, with a body if one is needed. */
    private static final Map<String, String> CHANGES = Map.of(
            "POST /admin/operators", "{\"userId\":\"USER\",\"role\":\"owner\"}",
            "DELETE /admin/operators/USER", "",
            "POST /admin/tokens", "{\"name\":\"attack-escalated\",\"role\":\"owner\"}",
            "DELETE /admin/tokens/TOKEN", "",
            "PATCH /admin/users/USER", "{\"groups\":[\"attack\"]}",
            "POST /admin/users/USER/lock", "",
            "DELETE /admin/users/USER", "",
            "POST /admin/groups/attack/USER", "",
            "POST /admin/clients", "{\"clientId\":\"attack\",\"redirectUris\":[\"https://attack.example/\"]}");

    @Override
    void attempt() {
        String admin = scene.adminToken();
        if (admin == null) { // a local service without one is open to this machine
            skip("operators' routes with the access of users and of other roles", "set ADMIN_TOKEN in the environment");
            return;
        }
        attacker.login().all().forEach((kind, headers) -> all("a user's " + kind, headers, "none"));
        all("an invented token", bearer("plt_" + "A".repeat(43)), "none");
        for (String role : new String[] {"support", "auditor"}) {
            withToken(admin, role);
        }
    }

    private void withToken(String admin, String role) {
        String name = "attack-" + UUID.randomUUID();
        String body = "{\"name\":\"" + name + "\",\"role\":\"" + role + "\"}";
        TestResponse issued = target.post("/admin/tokens", body, bearer(admin));
        if (!issued.ok()) {
            throw new AttackException("issuing a token failed with status " + issued.status());
        }
        String token = issued.json().string("token");
        try {
            all("a token with the role " + role, bearer(token), name);
        } finally {
            target.send("DELETE", "/admin/tokens/" + name, null, bearer(admin));
        }
        judge("a revoked token with the role " + role, target.get("/admin/users", bearer(token)));
    }

    private void all(String who, String[] headers, String token) {
        CHANGES.forEach((change, body) -> {
            String[] route = change.replace("USER", attacker.userId())
                    .replace("TOKEN", token)
                    .split(" ", 2);
            String json = body.isEmpty() ? null : body.replace("USER", attacker.userId());
            judge(change + " with " + who, target.send(route[0], route[1], json, headers));
        });
    }
}
