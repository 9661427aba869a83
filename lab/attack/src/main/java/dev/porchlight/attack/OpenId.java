// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

/** Attempts of one kind on OpenID Connect, with temporary clients. */
final class OpenId implements Attack {
    private final Part part;

    OpenId(Part part) {
        this.part = part;
    }

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
            part.run(openId, score);
        } finally {
            openId.clear();
        }
    }
}
