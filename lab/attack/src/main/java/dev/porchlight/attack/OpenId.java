// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import java.util.List;

/** Attacks on OpenID Connect, with temporary clients. */
final class OpenId implements Attack {
    private static final List<Part> PARTS = List.of(
            new OpenIdRedirects(),
            new OpenIdCodes(),
            new OpenIdCrossSite(),
            new OpenIdProofs(),
            new OpenIdTokenTypes());

    /** Attempts of one kind. */
    @FunctionalInterface
    interface Part {
        void run(OpenIdScene openId, Score score);
    }

    @Override
    public void run(Scene scene, Score score) {
        OpenIdScene openId = OpenIdScene.set(scene);
        if (openId == null) {
            score.skip("OpenID Connect", "clients cannot be registered: set ADMIN_TOKEN in the environment");
            return;
        }
        if (openId.issuer().isEmpty()) {
            score.skip("OpenID Connect", "it is off: there is no discovery document");
            openId.clear();
            return;
        }
        try {
            for (Part part : PARTS) {
                part.run(openId, score);
            }
            score.skip("an expired code", "it is valid for a minute, too long to wait");
        } finally {
            openId.clear();
        }
    }
}
