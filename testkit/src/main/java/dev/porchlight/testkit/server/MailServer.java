// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * An Exim mail server that ends with the process that started it. It delivers all mails to one directory, and refuses
 * addresses that begin with {@code unknown}. It can be stopped and started again. Thread-safe.
 */
public final class MailServer implements AutoCloseable {
    /** The user and the password that it accepts over TLS, and without TLS too. */
    public static final String USER = "porchlight";

    public static final String PASSWORD = "dRk2mq-7Tz";

    private static final String DEBIAN = "/usr/sbin/exim4";
    private static final String CONFIGURATION = """
            primary_hostname = mail.test
            spool_directory = HOME/spool
            log_file_path = HOME/%s.log
            pid_file_path = HOME/pid
            local_interfaces = 127.0.0.1
            daemon_smtp_ports = PORT : SECURE
            tls_on_connect_ports = SECURE
            tls_advertise_hosts = *
            tls_certificate = HOME/tls.pem
            tls_privatekey = HOME/tls.pem
            auth_advertise_hosts = *
            acl_smtp_rcpt = recipients
            smtp_accept_max = 100
            deliver_drop_privilege = true
            disable_ipv6 = true
            host_lookup =
            keep_environment =
            begin acl
            recipients:
              deny local_parts = ^unknown
                   message = no such mailbox
              accept
            begin routers
            all:
              driver = accept
              transport = maildir
            begin transports
            maildir:
              driver = appendfile
              maildir_format
              directory = HOME/mails
              envelope_to_add
            begin authenticators
            plain:
              driver = plaintext
              public_name = PLAIN
              server_condition = ${if and{{eq{$auth2}{USER}}{eq{$auth3}{PASSWORD}}}}
              server_set_id = $auth2
            """;

    private final Path home;
    private final List<String> command;
    private final int port;
    private final int securePort;
    private ServerProcess process;

    private MailServer(Path home, List<String> command, int port, int securePort) throws IOException {
        this.home = home;
        this.command = command;
        this.port = port;
        this.securePort = securePort;
        process = launch();
    }

    /**
     * Starts a server.
     *
     * @param pem its certificate and private key, in PEM
     * @throws MissingProgramException if it is not installed, or this process may not start it
     * @throws IOException if it does not start; the message contains its output
     */
    public static MailServer start(String pem) throws IOException, MissingProgramException {
        if (!Files.isExecutable(Path.of(DEBIAN)) || !"root".equals(System.getProperty("user.name"))) {
            throw new MissingProgramException(
                    "no Exim found that this user may start: install it (Debian: exim4-daemon-light) and be root");
        }
        Path home = Files.createTempDirectory(Path.of("/tmp"), "porchlight-exim"); // Exim's user needs access
        UserPrincipal user;
        try {
            user = home.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("Debian-exim");
        } catch (UserPrincipalNotFoundException e) {
            throw new MissingProgramException("the Exim on this machine is not Debian's");
        }
        int port = Ports.free();
        int securePort = Ports.free();
        Files.setOwner(home, user);
        for (String name : List.of("spool", "mails")) {
            Files.setOwner(Files.createDirectory(home.resolve(name)), user);
        }
        Files.setOwner(Files.writeString(home.resolve("tls.pem"), pem), user);
        String configuration = CONFIGURATION
                .replace("HOME", home.toString())
                .replace("PORT", Integer.toString(port))
                .replace("SECURE", Integer.toString(securePort))
                .replace("USER", USER)
                .replace("PASSWORD", PASSWORD);
        Path file = Files.writeString(home.resolve("exim.conf"), configuration);
        return new MailServer(home, List.of(DEBIAN, "-C", file.toString(), "-bdf", "-v"), port, securePort);
    }

    private ServerProcess launch() throws IOException {
        return new ServerProcess(List.of(), home, "TERM", "daemon started", command);
    }

    /** The port on 127.0.0.1, with STARTTLS. A new start keeps it. */
    public int port() {
        return port;
    }

    /** The port on 127.0.0.1 with TLS from the start. */
    public int securePort() {
        return securePort;
    }

    /** The URL of the server without TLS. */
    public String url() {
        return "smtp://127.0.0.1:" + port;
    }

    /** The mails that were delivered, in no order. */
    public List<String> mails() throws IOException {
        List<String> mails = new ArrayList<>();
        Path delivered = home.resolve("mails").resolve("new");
        if (Files.isDirectory(delivered)) {
            try (Stream<Path> files = Files.list(delivered)) {
                for (Path file : files.toList()) {
                    mails.add(Files.readString(file, StandardCharsets.UTF_8));
                }
            }
        }
        return mails;
    }

    /** Stops the server, which keeps its port and its mails for a new start. */
    public synchronized void stop() throws IOException {
        process.end(true);
    }

    /** Starts the server again after {@link #stop}. */
    public synchronized void restart() throws IOException {
        process = launch();
    }

    @Override
    public synchronized void close() throws IOException {
        process.end(false);
    }
}
