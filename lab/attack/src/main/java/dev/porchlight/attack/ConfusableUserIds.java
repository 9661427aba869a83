// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

/** User ids that look like another user's id, or are blank, reserved or malformed. */
final class ConfusableUserIds extends Attack {
    @Override
    void attempt() {
        String admin = scene.adminToken();
        ids(victim.userId()).forEach((what, id) -> {
            String body = new JsonObject().put("userId", id).toString();
            judge("options for " + what, target.get(Person.LOGIN_OPTIONS + Web.user(id)));
            judge("a sign-up as " + what, target.post("/auth/signup", body));
            if (admin != null) {
                judge("an enrollment link for " + what, target.post("/admin/enrollments", body, bearer(admin)));
            }
        });
    }

    private static Map<String, String> ids(String known) {
        Map<String, String> ids = new LinkedHashMap<>();
        ids.put("a known id with a direction override", "\u202e" + known);
        ids.put("a known id with an invisible character", known + "\u200b");
        ids.put("a known id with a soft hyphen", known.substring(0, 1) + "\u00ad" + known.substring(1));
        ids.put("a known id with a trailing space", known + " ");
        ids.put("a known id with a leading no-break space", "\u00a0" + known);
        ids.put("a no-break space", "\u00a0");
        ids.put("a known id with a line separator", known + "\u2028x");
        ids.put("a decomposed accent", known + "e\u0301");
        ids.put("a private-use character", known + "\ue000");
        ids.put("an unassigned character", known + "\u0378");
        ids.put("a control character", known + "\u0007");
        ids.put("the reserved prefix", "porchlight:canary");
        ids.put("the reserved prefix in another case", "Porchlight:canary");
        ids.put("the reserved prefix in full-width form", "\uff50orchlight:canary");
        ids.put("a known id with a trailing filler character", known + "\u3164");
        return ids;
    }
}
