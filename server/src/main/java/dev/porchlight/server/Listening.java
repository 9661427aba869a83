// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Fault;
import dev.porchlight.server.config.UnusableSettingException;
import dev.porchlight.server.config.Variable;
import dev.porchlight.server.http.HttpServer;
import dev.porchlight.server.http.ListenException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;

/** Starts to listen, and says which setting is at fault when an address cannot be opened. */
final class Listening {
    private Listening() {}

    static void start(HttpServer http, Config config) throws IOException {
        try {
            http.start();
        } catch (ListenException e) {
            boolean management = e.listener().equals(App.MANAGEMENT);
            throw failed(
                    config,
                    management ? Variable.MANAGEMENT_PORT : Variable.PORT,
                    management ? config.managementPort().orElseThrow() : config.port(),
                    e);
        }
    }

    /** The setting at fault: HOST if it is not an address of this machine, otherwise the variable of the port. */
    private static UnusableSettingException failed(Config config, Variable variable, int port, ListenException e)
            throws IOException {
        if (!isOurs(config.host())) {
            return new UnusableSettingException(
                    new Fault(
                            Variable.HOST.name(),
                            "is " + config.host() + ", which is not an address of this machine",
                            "set 127.0.0.1, 0.0.0.0 or one of its addresses"),
                    e);
        }
        int other = variable == Variable.PORT ? config.managementPort().orElse(0) : config.port();
        String another = "set another port, for example " + variable + '=' + anotherPort(port, other);
        return new UnusableSettingException(
                new Fault(
                        variable.name(),
                        "is " + port + ", which cannot be opened on " + config.host() + " (" + e.reason() + ')',
                        port < 1_024
                                ? "stop the process that uses it, allow the service to use ports below 1024, or "
                                        + another
                                : "stop the process that uses it, or " + another),
                e);
    }

    /** A port to suggest: a valid one that needs no privilege and is neither of these. */
    static int anotherPort(int refused, int other) {
        int next = refused < 1_024 || refused == Config.LAST_PORT ? 8080 : refused + 1;
        if (next != other) {
            return next;
        }
        return next == Config.LAST_PORT ? 8080 : next + 1;
    }

    private static boolean isOurs(String host) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        return address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || NetworkInterface.getByInetAddress(address) != null;
    }
}
