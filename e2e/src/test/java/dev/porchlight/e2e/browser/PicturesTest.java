// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** Takes the screenshots of the documentation. Writes them to e2e/target/screenshots. */
class PicturesTest {
    private static final Integer MINUTES = Integer.getInteger("porchlight.pictures.minutes");
    private static final UUID GOOGLE_PASSWORD_MANAGER = UUID.fromString("ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4");
    private static final String LAPTOP = "Mozilla/5.0 (Macintosh) Chrome/156.0.0.0 Safari/537.36";
    private static final String PHONE = "Mozilla/5.0 (Linux; Android 16) Chrome/156.0.0.0 Mobile Safari/537.36";
    private static final List<String> USERS =
            List.of("ada", "grace", "alan", "katherine", "edsger", "barbara", "donald", "radia", "leslie", "margaret");
    private static final List<String> ABANDONED = List.of("dismissed", "dismissed", "dismissed", "timeout", "blocked");

    /** Mutations of the challenge, the origin or the signature. */
    private static final Pattern MUTATIONS = Pattern.compile("7\\.2\\.(12|13|20)\\b.*");

    @RegisterExtension
    final Browser browser = new Browser();

    @BeforeAll
    static void onlyOnRequest() {
        if (MINUTES == null) {
            System.err.println("Skipped: pictures for the documentation take minutes; see docs/internals/testing.md");
        }
        assumeTrue(MINUTES != null, "they take minutes");
    }

    @Test
    void account_page() throws Exception {
        Site site = browser.serve();
        browser.userAgent(LAPTOP);
        browser.switchToSecurityKey();
        browser.signUp("ada");
        browser.press(By.cssSelector(".passkey .rename"));
        browser.keys("Key on my key ring", "\n");
        browser.awaitText("Renamed to Key on my key ring.");
        browser.console().expect(site.origin() + "/auth/session", "401");
        set(site, "created_at", Duration.ofDays(94)); // ends the session, whose passkey was a newer one
        browser.open("/");
        browser.press("Sign in with a passkey");
        browser.awaitPath("/account");
        Visitor phone = new Visitor(
                site,
                "ada",
                PHONE,
                SoftAuthenticator.builder()
                        .aaguid(GOOGLE_PASSWORD_MANAGER)
                        .backup(true, true)
                        .transports("internal", "hybrid")
                        .build());
        phone.enroll(enrollment(site, "ada"));
        phone.signIn();
        set(site, "last_used_at", Duration.ofHours(2));
        browser.open("/account");
        browser.awaitText("Google Password Manager");

        browser.screen().size(1000, 640, 2, false);
        browser.screen().picture("account", 1000, 500);
    }

    @Test
    void console_page() throws Exception {
        Site site = browser.serve("RATE_LIMIT_PER_MINUTE", "0");
        generateTraffic(site);
        browser.open("/console");
        browser.press(By.xpath("//label[contains(., '5 min')]"));
        browser.awaitText("Live");

        browser.screen().size(1200, 900, 2, false);
        browser.screen().picture("console", 1200, 610);
    }

    @Test
    void support_code() throws Exception {
        browser.serve("USER_VERIFICATION", "required");
        browser.signUp("ada");
        browser.signOut();
        browser.authenticator().setBadUserVerification(true);
        browser.console().expect(browser.site().origin() + "/auth/passkey/login/finish", "401");
        browser.press("Sign in with a passkey");
        String code = browser.codeOfFailure();
        browser.open("/console");
        browser.screen().size(860, 700, 2, false);
        browser.type("Support code", code);
        browser.press("Find");
        browser.awaitText("1 ceremony found.");

        browser.screen().picture("support-code", browser.find(By.id("found")));
    }

    /** Sets a time of the passkey on the key ring. */
    private static void set(Site site, String column, Duration ago) {
        site.updateDatabase(sql -> sql.update(
                "UPDATE passkey_credential SET " + column + " = ? WHERE name = 'Key on my key ring'",
                Instant.now().minus(ago).toEpochMilli()));
    }

    /** Generates sign-ins: most succeed, some are abandoned, a few are refused. */
    private static void generateTraffic(Site site) throws IOException, InterruptedException {
        Random random = new Random(1815);
        List<Mutation> mutations = Mutations.invalid(CeremonyType.AUTHENTICATION).stream()
                .filter(mutation -> mutation.preconditions().isEmpty()
                        && MUTATIONS.matcher(mutation.target()).matches())
                .toList();
        List<Visitor> visitors = new ArrayList<>();
        for (String name : USERS) {
            Visitor visitor = new Visitor(site, name, LAPTOP, SoftAuthenticator.syncedPasskeys());
            visitor.enroll(enrollment(site, name));
            visitors.add(visitor);
        }
        Instant end = Instant.now().plus(Duration.ofMinutes(MINUTES));
        while (Instant.now().isBefore(end)) {
            Visitor visitor = visitors.get(random.nextInt(visitors.size()));
            int roll = random.nextInt(100);
            if (roll < 88) {
                visitor.signIn();
            } else if (roll < 96) {
                visitor.abandon(ABANDONED.get(random.nextInt(ABANDONED.size())));
            } else {
                visitor.signIn(mutations.get(random.nextInt(mutations.size())));
            }
            double wave = 1 + Math.sin(Instant.now().getEpochSecond() / 40d);
            Thread.sleep(60 + (long) (random.nextInt(240) / (0.5 + wave)));
        }
    }

    private static String enrollment(Site site, String userId) {
        return site.runCommand("enroll", userId).replaceAll(".*#enroll=", "");
    }
}
