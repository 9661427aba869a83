// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.wire.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

/** User ids that look like others, or like nothing. */
final class StrangeUserIds implements Attack {
    @Override
    public void run(Scene scene, Score score) {
        String admin = scene.adminToken();
        ids(scene.victim().userId()).forEach((what, id) -> {
            String body = new JsonObject().put("userId", id).toString();
            score.judge("options for " + what, scene.target().get(Person.LOGIN_OPTIONS + Person.query(id)));
            score.judge("a sign-up as " + what, scene.target().post("/auth/signup", body));
            if (admin != null) {
                score.judge(
                        "an enrollment link for " + what,
                        scene.target().post("/admin/enrollments", body, Access.bearer(admin)));
            }
        });
    }

    private static Map<String, String> ids(String known) {
        Map<String, String> ids = new LinkedHashMap<>();
        ids.put("a known id with a direction override", "\u202e" + known);
        ids.put("a known id with an invisible character", known + "\u200b");
        ids.put("a known id with a soft hyphen", known.substring(0, 1) + "\u00ad" + known.substring(1));
        ids.put("a known id with a blank behind it", known + " ");
        ids.put("a known id with a no-break space before it", "\u00a0" + known);
        ids.put("a no-break space", "\u00a0");
        ids.put("a known id with a line separator", known + "\u2028x");
        ids.put("an accent that is not composed", known + "e\u0301");
        ids.put("a character for private use", known + "\ue000");
        ids.put("a character that is not assigned", known + "\u0378");
        ids.put("a control character", known + "\u0007");
        ids.put("the reserved prefix", "porchlight:canary");
        ids.put("the reserved prefix in another case", "Porchlight:canary");
        ids.put("the reserved prefix in another form", "\uff50orchlight:canary");
        ids.put("a known id with a filler behind it", known + "\u3164");
        return ids;
    }
}
