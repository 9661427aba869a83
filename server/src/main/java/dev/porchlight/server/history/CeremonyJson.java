// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Stored ceremonies as JSON. Events are written by the components of their record, so a new kind of event needs no code here. */
final class CeremonyJson {
    private CeremonyJson() {}

    static String write(Failure failure) {
        Ceremony ceremony = failure.ceremony();
        return JsonWriter.object(json -> json.text("traceId", ceremony.traceId())
                .objects("events", ceremony.events(), (event, from) -> {
                    event.text("type", from.getClass().getSimpleName());
                    write(event, from);
                })
                .text("response", failure.response()));
    }

    /** Reads what an instance wrote; null if it cannot be read, because another release wrote it. */
    static @Nullable Failure read(String text) {
        try {
            JsonObject json = JsonObject.parse(text, "ceremony");
            List<CeremonyEvent> events = new ArrayList<>();
            for (JsonObject event : json.objects("events")) {
                events.add((CeremonyEvent) read(event, type(event.text("type"))));
            }
            return new Failure(new Ceremony(json.text("traceId"), events), json.text("response"));
        } catch (MalformedException | ReflectiveOperationException | IllegalArgumentException e) {
            return null;
        }
    }

    private static Class<?> type(String name) {
        return Stream.of(CeremonyEvent.class.getPermittedSubclasses())
                .filter(type -> type.getSimpleName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown event"));
    }

    private static void write(JsonWriter json, Object value) {
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            String name = component.getName();
            Object member = member(value, component);
            if (member instanceof String text) {
                json.text(name, text);
            } else if (member instanceof Long number) {
                json.number(name, number);
            } else if (member instanceof Boolean flag) {
                json.bool(name, flag);
            } else if (member instanceof Enum<?> constant) {
                json.text(name, constant.name());
            } else if (member instanceof List<?> items) {
                json.objects(name, items, CeremonyJson::write);
            } else {
                json.object(name, inner -> write(inner, member));
            }
        }
    }

    private static Object member(Object value, RecordComponent component) {
        try {
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the records of events are public", e);
        }
    }

    private static Object read(JsonObject json, Class<?> type) throws MalformedException, ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = value(json, components[i]);
        }
        return type.getDeclaredConstructor(types).newInstance(values);
    }

    private static Object value(JsonObject json, RecordComponent component)
            throws MalformedException, ReflectiveOperationException {
        Class<?> type = component.getType();
        String name = component.getName();
        if (type == String.class) {
            return json.text(name);
        }
        if (type == long.class) {
            return json.integer(name);
        }
        if (type == boolean.class) {
            return Boolean.TRUE.equals(json.optionalBool(name));
        }
        if (type.isEnum()) {
            String constant = json.text(name);
            return Stream.of(type.getEnumConstants())
                    .filter(each -> ((Enum<?>) each).name().equals(constant))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("unknown constant"));
        }
        if (type.isRecord()) {
            return read(json.object(name), type);
        }
        Class<?> item = (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
        List<Object> items = new ArrayList<>();
        for (JsonObject each : json.objects(name)) {
            items.add(read(each, item));
        }
        return items;
    }
}
