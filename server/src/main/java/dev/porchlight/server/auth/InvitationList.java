// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.auth.Invitations.Invitee;
import dev.porchlight.server.people.ProfileChange;
import dev.porchlight.server.people.ProfileMember;
import dev.porchlight.server.storage.Actor;
import dev.porchlight.server.storage.UserGroups;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * People to invite, read from CSV as in RFC 4180. The first line names the columns; {@code userId} is required, and groups are
 * separated by semicolons. Immutable.
 */
public final class InvitationList {
    public static final int MAX_CHARS = 1 << 20;
    private static final int MAX_LINES = 1_000;
    private static final int MAX_CELL = 1_000;
    private static final String USER = "userId";
    private static final String GROUPS = "groups";
    private static final List<String> COLUMNS =
            List.of(USER, "email", "name", "givenName", "familyName", GROUPS, "locale");

    private final List<Line> lines;

    private InvitationList(List<Line> lines) {
        this.lines = lines;
    }

    /**
     * A person.
     *
     * @param number of the line in the file, from 1
     * @param cells that are not empty, by column
     */
    public record Line(int number, Map<String, String> cells) {}

    /** What happened to a person. */
    public enum State {
        INVITED,
        /** The person has a passkey or a valid link already. */
        SKIPPED,
        REFUSED
    }

    /**
     * The report of a line.
     *
     * @param detail a sentence; empty for an invited person
     */
    public record Report(int line, String userId, State state, String detail) {
        public void write(JsonWriter json) {
            json.number("line", line)
                    .text(USER, userId)
                    .text("state", state.name().toLowerCase(Locale.ROOT))
                    .text("detail", detail);
        }
    }

    public List<Line> lines() {
        return lines;
    }

    /** Reads the whole text, before any person is invited. */
    public static InvitationList parse(String csv) throws MalformedException {
        if (csv.length() > MAX_CHARS) {
            throw malformed(1, "the file must have at most 1 MiB");
        }
        List<List<String>> rows = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        Reader reader = new Reader(csv.startsWith("\uFEFF") ? csv.substring(1) : csv);
        while (reader.hasMore()) {
            int number = reader.line;
            List<String> row = reader.row();
            if (!row.equals(List.of(""))) { // an empty line
                rows.add(row);
                numbers.add(number);
            }
            if (rows.size() > MAX_LINES + 1) {
                throw malformed(number, "there must be at most 1,000 people");
            }
        }
        List<String> columns = rows.isEmpty() ? List.of() : rows.get(0);
        if (!columns.contains(USER) || !COLUMNS.containsAll(columns)) {
            throw malformed(
                    1,
                    "the first line must name the columns: userId, and any of "
                            + String.join(", ", COLUMNS.subList(1, COLUMNS.size())));
        }
        if (new HashSet<>(columns).size() < columns.size()) {
            throw malformed(1, "a column is named twice");
        }
        List<Line> lines = new ArrayList<>();
        for (int i = 1; i < rows.size(); i++) {
            List<String> row = rows.get(i);
            if (row.size() != columns.size()) {
                throw malformed(
                        numbers.get(i),
                        "the number of values is " + row.size() + ", but that of columns is " + columns.size());
            }
            Map<String, String> cells = new LinkedHashMap<>();
            for (int column = 0; column < row.size(); column++) {
                if (!row.get(column).isEmpty()) {
                    cells.put(columns.get(column), row.get(column));
                }
            }
            lines.add(new Line(numbers.get(i), cells));
        }
        return new InvitationList(lines);
    }

    private static MalformedException malformed(int line, String reason) {
        return new MalformedException("line " + line, reason);
    }

    /** Invites a person, unless they have a passkey or a valid link already. */
    public static Report invite(Line line, Invitations invitations, Duration lifetime, Actor by) {
        Map<String, String> cells = new LinkedHashMap<>(line.cells());
        String userId = cells.getOrDefault(USER, "");
        cells.keySet().remove(USER);
        String groups = cells.remove(GROUPS);
        try {
            UserIds.require(userId);
            List<String> names = groups == null ? List.of() : List.of(groups.split(";", -1));
            for (String name : names) {
                if (!UserGroups.NAME.matcher(name).matches()) {
                    throw new IllegalArgumentException("a group has an invalid name");
                }
            }
            ProfileChange profile =
                    ProfileChange.parse(JsonObject.of(Map.copyOf(cells)), EnumSet.allOf(ProfileMember.class), Set.of());
            if (invitations.isRegistered(userId) || invitations.isInvited(userId)) {
                String detail = invitations.isRegistered(userId) ? "has a passkey" : "has a valid link";
                return new Report(line.number(), userId, State.SKIPPED, detail);
            }
            String refusal = invitations
                    .send(new Invitee(userId, profile, names), lifetime, by)
                    .sentence();
            return new Report(line.number(), userId, refusal.isEmpty() ? State.INVITED : State.REFUSED, refusal);
        } catch (Actor.DeniedException e) {
            if (e.denial() != Actor.Denial.PROTECTED_USER) {
                throw e;
            }
            return new Report(
                    line.number(), userId, State.REFUSED, "the user has a role, and only an owner can invite them");
        } catch (IllegalArgumentException | MalformedException e) {
            return new Report(line.number(), userId, State.REFUSED, String.valueOf(e.getMessage()));
        }
    }

    /** Reads rows. Not thread-safe. */
    private static final class Reader {
        private final String text;
        private int at;
        private int line = 1;

        Reader(String text) {
            this.text = text;
        }

        boolean hasMore() {
            return at < text.length();
        }

        /** The values up to the end of a line, which may be within quotes. */
        List<String> row() throws MalformedException {
            List<String> row = new ArrayList<>();
            do {
                row.add(text.startsWith("\"", at) ? quoted() : plain());
                if (row.size() > COLUMNS.size()) {
                    throw malformed(line, "has too many values");
                }
            } while (skip(","));
            boolean ended = skip("\r\n") || skip("\n") || !hasMore();
            if (!ended) {
                throw malformed(line, "a value must end at a comma or at the end of the line");
            }
            line++;
            return row;
        }

        private boolean skip(String token) {
            boolean found = text.startsWith(token, at);
            at += found ? token.length() : 0;
            return found;
        }

        private String plain() throws MalformedException {
            int from = at;
            while (hasMore() && ",\r\n".indexOf(text.charAt(at)) < 0) {
                if (text.charAt(at) == '"') {
                    throw malformed(line, "a value with quotes must be in quotes");
                }
                at++;
            }
            return bounded(text.substring(from, at).strip());
        }

        private String quoted() throws MalformedException {
            StringBuilder value = new StringBuilder();
            at++;
            while (true) {
                int end = text.indexOf('"', at);
                if (end < 0) {
                    throw malformed(line, "a quote is not closed");
                }
                value.append(text, at, end);
                at = end + 1;
                if (!skip("\"")) {
                    line += (int) value.chars().filter(c -> c == '\n').count();
                    return bounded(value.toString());
                }
                value.append('"');
            }
        }

        private String bounded(String value) throws MalformedException {
            if (value.length() > MAX_CELL) {
                throw malformed(line, "a value is longer than 1,000 characters");
            }
            return value;
        }
    }
}
