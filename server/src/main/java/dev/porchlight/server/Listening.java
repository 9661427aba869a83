// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Fault;
import dev.porchlight.server.config.Setting;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.config.UnusableSettingException;
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
                    management ? Settings.MANAGEMENT_PORT : Settings.PORT,
                    management ? config.get(Settings.MANAGEMENT_PORT).orElseThrow() : config.get(Settings.PORT),
                    e);
        }
    }

    /** The setting at fault: HOST if it is not an address of this machine, otherwise that of the port. */
    private static UnusableSettingException failed(Config config, Setting<?> setting, int port, ListenException e)
            throws IOException {
        if (!isOurs(config.get(Settings.HOST))) {
            return new UnusableSettingException(
                    new Fault(
                            Settings.HOST,
                            "is " + config.get(Settings.HOST) + ", which is not an address of this machine",
                            "set 127.0.0.1, 0.0.0.0 or one of its addresses"),
                    e);
        }
        int other = setting.equals(Settings.PORT)
                ? config.get(Settings.MANAGEMENT_PORT).orElse(0)
                : config.get(Settings.PORT);
        String another = "set another port, for example " + setting + "=" + anotherPort(port, other);
        return new UnusableSettingException(
                new Fault(
                        setting,
                        "is " + port + ", which cannot be opened on " + config.get(Settings.HOST) + " (" + e.reason()
                                + ')',
                        port < 1_024
                                ? "stop the process that uses it, allow the service to use ports below 1024, or "
                                        + another
                                : "stop the process that uses it, or " + another),
                e);
    }

    /** A port to suggest: a valid one that needs no privilege and is neither of these. */
    static int anotherPort(int refused, int other) {
        int next = refused < 1_024 || refused == Settings.LAST_PORT ? Settings.DEFAULT_PORT : refused + 1;
        if (next != other) {
            return next;
        }
        return next == Settings.LAST_PORT ? Settings.DEFAULT_PORT : next + 1;
    }

    private static boolean isOurs(String host) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        return address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || NetworkInterface.getByInetAddress(address) != null;
    }
}
