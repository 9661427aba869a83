// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The options of an attack.
 *
 * @param instances the service's URL, or those of its instances
 * @param origin the origin of its pages
 * @param prefix the prefix of the throw-away users' names
 * @param only the groups to run; empty for all
 * @param rate requests per second
 * @param most the maximum number of requests
 * @param rounds how often to compare known with unknown users
 * @param minutes the time limit for the groups with the most attempts
 * @param recent the service's RECENT_LOGIN_SECONDS
 */
record AttackOptions(
        List<URI> instances,
        String origin,
        String prefix,
        List<String> only,
        int rate,
        int most,
        int rounds,
        int minutes,
        int recent) {
    private static final List<String> OPTIONS = List.of(
            "--origin",
            "--user-prefix",
            "--only",
            "--rate",
            "--most",
            "--rounds",
            "--minutes",
            "--recent",
            "--i-own-this");

    AttackOptions {
        instances = List.copyOf(instances);
        only = List.copyOf(only);
    }

    /**
     * Parses the command line.
     *
     * @throws IllegalArgumentException if an argument is invalid, or the caller has not confirmed that they own the service
     */
    static AttackOptions parse(List<String> arguments) {
        Map<String, String> options = new HashMap<>();
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (OPTIONS.contains(argument) && i + 1 < arguments.size()) {
                options.put(argument, arguments.get(++i));
            } else if (argument.startsWith("-")) {
                throw new IllegalArgumentException("unknown option " + argument + ", or its value is missing");
            } else {
                addresses.add(argument);
            }
        }
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("a URL is required");
        }
        List<URI> instances = addresses.stream().map(AttackOptions::address).toList();
        instances.forEach(instance -> requireOwned(instance, options.getOrDefault("--i-own-this", "")));
        URI address = instances.get(0);
        return new AttackOptions(
                instances,
                options.getOrDefault("--origin", address.getScheme() + "://" + address.getRawAuthority()),
                options.getOrDefault("--user-prefix", "attack-"),
                Stream.of(options.getOrDefault("--only", "").split(",", -1))
                        .filter(group -> !group.isBlank())
                        .toList(),
                number(options, "--rate", 50, 1_000),
                number(options, "--most", 50_000, 1_000_000),
                number(options, "--rounds", 40, 100_000),
                number(options, "--minutes", 5, 10_000),
                number(options, "--recent", 300, 86_400));
    }

    boolean includes(String group) {
        return only.isEmpty() || only.contains(group);
    }

    private static URI address(String text) {
        URI address = URI.create(text);
        if (address.getHost() == null || !List.of("http", "https").contains(String.valueOf(address.getScheme()))) {
            throw new IllegalArgumentException(address + " is not a URL such as http://localhost:8080");
        }
        return address;
    }

    private static void requireOwned(URI address, String owned) {
        if (!owned.equalsIgnoreCase(address.getHost()) && !isLoopback(address.getHost())) {
            throw new IllegalArgumentException(address.getHost()
                    + " is not this machine. To attack a service that you own, add --i-own-this " + address.getHost());
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return Stream.of(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static int number(Map<String, String> options, String name, int fallback, int most) {
        String text = options.getOrDefault(name, Integer.toString(fallback));
        if (!text.matches("\\d{1,7}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > most) {
            throw new IllegalArgumentException(name + " must be a number from 1 to " + most);
        }
        return Integer.parseInt(text);
    }
}
