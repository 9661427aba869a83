// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.openid.Client;
import dev.porchlight.server.openid.Clients;
import dev.porchlight.server.openid.Groups;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Checks that users can sign in to the registered OpenID Connect clients. */
final class ClientCheck {
    private final Config config;
    private final Groups groups;
    private final List<Client> clients;
    private final List<Diagnosis> results = new ArrayList<>();

    ClientCheck(Config config, Sql sql, InstantSource clock) {
        this.config = config;
        this.groups = new Groups(sql);
        this.clients = new Clients(sql, clock, new SecureRandom()).all();
    }

    /** Nothing if no client is registered. */
    List<Diagnosis> run() {
        if (clients.isEmpty()) {
            return results;
        }
        if (config.get(Settings.LOGIN_RESULT).session()) {
            results.add(Diagnosis.ok("OpenID Connect is on; clients: " + clients.size()));
        } else {
            results.add(Diagnosis.problem(
                    "OpenID Connect is off, because it needs sessions and LOGIN_RESULT is token",
                    "export LOGIN_RESULT=both"));
        }
        clients.forEach(this::check);
        return results;
    }

    private void check(Client client) {
        List<String> allowed = client.settings().groups();
        if (!allowed.isEmpty()
                && allowed.stream().allMatch(group -> groups.members(group).isEmpty())) {
            results.add(Diagnosis.problem(
                    "no user can sign in to the client " + client.id() + ": its groups have no members",
                    "./porchlight groups add " + allowed.get(0) + " USER"));
        }
        List<String> local = client.settings().redirectUris().stream()
                .filter(uri -> uri.startsWith("http:"))
                .toList();
        if (!config.local() && !client.isPublic() && !local.isEmpty()) {
            results.add(Diagnosis.problem(
                    "the client " + client.id() + " returns users to their own machine: " + String.join(", ", local),
                    "./porchlight clients change " + client.id() + " --redirect-uri https://…"));
        }
    }
}
