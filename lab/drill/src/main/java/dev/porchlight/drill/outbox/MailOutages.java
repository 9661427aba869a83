// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.outbox;

import dev.porchlight.drill.scenario.Services.Restartable;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.fault.FaultProxy;
import dev.porchlight.rig.fault.Toxics;
import dev.porchlight.testkit.attestation.ServerIdentity;
import dev.porchlight.testkit.server.MailServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** R48: the mail server fails while users are invited by mail, and the service is killed before and during deliveries. */
public final class MailOutages {
    private static final int PER_SECOND = 25;
    /** Mails that are sent at a time, of which a kill or a server that hangs may repeat each. */
    private static final int CONCURRENCY = 4;

    private static final Pattern RECIPIENT = Pattern.compile("(?m)^To: (.+)@recipients\\.example$");

    private final Invitations invitations = new Invitations(
            PER_SECOND,
            user -> "{\"userId\":\"" + user + "\",\"email\":\"" + user
                    + "@recipients.example\",\"ttlSeconds\":3600,\"send\":true}");

    public void run(TestBed bed) throws Exception {
        Instant now = Instant.now();
        ServerIdentity identity =
                ServerIdentity.selfSigned("localhost", now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(1)));
        try (MailServer server = MailServer.start(identity.certificatePem() + identity.keyPem());
                FaultProxy proxy = new FaultProxy(server.port())) {
            Launch launch = bed.service()
                    .with("SMTP_URL", "smtp://127.0.0.1:" + proxy.port())
                    .with("MAIL_FROM", "porchlight@senders.example");
            Restartable service = new Restartable(bed, launch);
            server.stop();
            invitations.send(service.running());
            server.restart();
            List<Toxics> faults =
                    List.of(Toxics.NONE.blackHole(true), Toxics.NONE.latency(2_000, 0), Toxics.NONE.resetEvery(2));
            for (Toxics fault : faults) {
                proxy.set(fault);
                invitations.send(service.running());
            }
            int kills = bed.rounds(6, 2);
            for (int i = 0; i < kills; i++) {
                proxy.set(Toxics.NONE.blackHole(i % 2 == 0));
                invitations.kill(service.running());
            }
            Instance last = service.running();
            bed.note("%,d mails acknowledged, killed %d times", invitations.acknowledged(), kills);
            bed.note("%,d mails wait", Invitations.waiting(launch));
            bed.note("%d MB resident", last.residentKb() / 1_024);
            deliver(bed, launch, proxy, server, CONCURRENCY * (kills + 1));
        }
    }

    private void deliver(TestBed bed, Launch launch, FaultProxy proxy, MailServer server, int maxCopies)
            throws Exception {
        Set<String> committed = Invitations.committed(launch);
        long back = System.nanoTime();
        proxy.set(Toxics.NONE);
        while (Invitations.waiting(launch) > 0 && System.nanoTime() - back < WebhookOutages.DELIVERED.toNanos()) {
            Thread.sleep(1_000);
        }
        bed.expect(
                Invitations.waiting(launch) == 0,
                "all sent %.0f s after the server is back",
                (System.nanoTime() - back) / 1e9);
        Event written = () -> new HashSet<>(recipients(server)).size() >= committed.size();
        var unused = written.await(Duration.ofSeconds(20));
        List<String> mails = recipients(server);
        Set<String> delivered = new HashSet<>(mails);
        invitations.compare(bed, committed, delivered, "a mail");
        int copies = mails.size() - delivered.size();
        bed.expect(copies <= maxCopies, "%d copies", copies);
    }

    private static List<String> recipients(MailServer server) throws IOException {
        List<String> users = new ArrayList<>();
        for (String mail : server.mails()) {
            Matcher recipient = RECIPIENT.matcher(mail);
            if (recipient.find()) {
                users.add(recipient.group(1));
            }
        }
        return users;
    }
}
