package dev.roomcell.api;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.DescriptorProto.ReservedRange;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.FileOptions;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What clients built against one state of the API would miss in another. Things may be added, and may move between
 * files of one package; what is there stays, under its name and its number, with its type.
 */
final class ApiCompatibility {
    private final Elements after;
    private final List<String> breaks = new ArrayList<>();

    private ApiCompatibility(Elements after) {
        this.after = after;
    }

    /** One sentence for each thing of {@code before} that is gone or different in {@code after}; empty if none is. */
    static List<String> breaks(FileDescriptorSet before, FileDescriptorSet after) {
        ApiCompatibility comparison = new ApiCompatibility(Elements.of(after));
        Elements old = Elements.of(before);
        comparison.compareAll("file options of package", old.options(), comparison.after.options(), (name, was, is) -> {
            comparison.same(name + ": java_package", was.getJavaPackage(), is.getJavaPackage());
            comparison.same(name + ": java_multiple_files", was.getJavaMultipleFiles(), is.getJavaMultipleFiles());
        });
        comparison.compareAll("message", old.messages(), comparison.after.messages(), comparison::compareMessage);
        comparison.compareAll("enum", old.enums(), comparison.after.enums(), comparison::compareEnum);
        comparison.compareAll("service", old.services(), comparison.after.services(), comparison::compareService);
        return List.copyOf(comparison.breaks);
    }

    private void compareMessage(String name, DescriptorProto was, DescriptorProto is) {
        Map<Integer, FieldDescriptorProto> fields = byKey(is.getFieldList(), FieldDescriptorProto::getNumber);
        for (FieldDescriptorProto field : was.getFieldList()) {
            FieldDescriptorProto now = fields.get(field.getNumber());
            String what = "field " + name + "." + field.getName() + " = " + field.getNumber();
            if (now == null) {
                breaks.add(what + " is missing");
                continue;
            }
            same(what + ": name", field.getName(), now.getName());
            same(what + ": type", field.getType() + field.getTypeName(), now.getType() + now.getTypeName());
            same(what + ": label", field.getLabel(), now.getLabel());
            same(what + ": presence", field.getProto3Optional(), now.getProto3Optional());
            same(what + ": oneof", oneofOf(was, field), oneofOf(is, now));
        }
        Set<Integer> reserved = reservedNumbers(is);
        for (int number : reservedNumbers(was)) {
            if (!reserved.contains(number)) {
                breaks.add("message " + name + ": number " + number + " is no longer reserved");
            }
        }
        for (String reservedName : was.getReservedNameList()) {
            if (!is.getReservedNameList().contains(reservedName)) {
                breaks.add("message " + name + ": name " + reservedName + " is no longer reserved");
            }
        }
    }

    private void compareEnum(String name, EnumDescriptorProto was, EnumDescriptorProto is) {
        Map<String, EnumValueDescriptorProto> values = byKey(is.getValueList(), EnumValueDescriptorProto::getName);
        for (EnumValueDescriptorProto value : was.getValueList()) {
            EnumValueDescriptorProto now = values.get(value.getName());
            String what = "enum value " + name + "." + value.getName();
            if (now == null) {
                breaks.add(what + " is missing");
            } else {
                same(what + ": number", value.getNumber(), now.getNumber());
            }
        }
    }

    private void compareService(String name, ServiceDescriptorProto was, ServiceDescriptorProto is) {
        Map<String, MethodDescriptorProto> methods = byKey(is.getMethodList(), MethodDescriptorProto::getName);
        for (MethodDescriptorProto method : was.getMethodList()) {
            MethodDescriptorProto now = methods.get(method.getName());
            String what = "method " + name + "/" + method.getName();
            if (now == null) {
                breaks.add(what + " is missing");
                continue;
            }
            same(what + ": request", method.getInputType(), now.getInputType());
            same(what + ": response", method.getOutputType(), now.getOutputType());
            same(what + ": client streaming", method.getClientStreaming(), now.getClientStreaming());
            same(what + ": server streaming", method.getServerStreaming(), now.getServerStreaming());
        }
    }

    private <T> void compareAll(String kind, Map<String, T> was, Map<String, T> is, Comparison<T> comparison) {
        was.forEach((name, old) -> {
            T now = is.get(name);
            if (now == null) {
                breaks.add(kind + " " + name + " is missing");
            } else {
                comparison.compare(name, old, now);
            }
        });
    }

    private void same(String what, Object was, Object is) {
        if (!was.equals(is)) {
            breaks.add(what + " changed from " + was + " to " + is);
        }
    }

    /** The name of the written oneof around a field; empty for none (an optional field's own is not written). */
    private static String oneofOf(DescriptorProto message, FieldDescriptorProto field) {
        return field.hasOneofIndex() && !field.getProto3Optional()
                ? message.getOneofDecl(field.getOneofIndex()).getName()
                : "";
    }

    private static Set<Integer> reservedNumbers(DescriptorProto message) {
        return message.getReservedRangeList().stream()
                .flatMap(ApiCompatibility::numbersOf)
                .collect(Collectors.toSet());
    }

    private static Stream<Integer> numbersOf(ReservedRange range) {
        return IntStream.range(range.getStart(), range.getEnd()).boxed();
    }

    private static <K, T> Map<K, T> byKey(List<T> items, Function<T, K> key) {
        return items.stream().collect(Collectors.toMap(key, Function.identity()));
    }

    private interface Comparison<T> {
        void compare(String name, T was, T is);
    }

    /** The API's elements by full name, wherever they are written. */
    private record Elements(
            Map<String, FileOptions> options,
            Map<String, DescriptorProto> messages,
            Map<String, EnumDescriptorProto> enums,
            Map<String, ServiceDescriptorProto> services) {

        static Elements of(FileDescriptorSet set) {
            Elements all = new Elements(new HashMap<>(), new HashMap<>(), new HashMap<>(), new HashMap<>());
            for (FileDescriptorProto file : set.getFileList()) {
                all.options.put(file.getPackage(), file.getOptions());
                file.getMessageTypeList().forEach(message -> all.add(file.getPackage(), message));
                file.getEnumTypeList().forEach(type -> all.enums.put(file.getPackage() + "." + type.getName(), type));
                file.getServiceList()
                        .forEach(service -> all.services.put(file.getPackage() + "." + service.getName(), service));
            }
            return all;
        }

        private void add(String scope, DescriptorProto message) {
            String name = scope + "." + message.getName();
            messages.put(name, message);
            message.getNestedTypeList().forEach(nested -> add(name, nested));
            message.getEnumTypeList().forEach(nested -> enums.put(name + "." + nested.getName(), nested));
        }
    }
}
