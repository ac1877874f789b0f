package io.karmi.stubgen.emit;

import io.karmi.stubgen.model.ClassFileException;
import io.karmi.stubgen.model.ClassView;
import io.karmi.stubgen.model.MethodView;
import io.karmi.stubgen.model.RemoteModel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.Type;

/**
 * Reachability metadata: what GraalVM's native-image must keep so that a program's remote
 * interfaces can be called: stubs and skeletons by name, the interfaces' methods, and the fields of
 * all classes that the interfaces name, and that those classes name in turn.
 *
 * <p>What a program sends beyond its declared types (a subclass, an element of a collection) it has
 * to add itself. What KaRMI itself reaches by reflection is in the metadata of its own modules.
 */
public final class ReachabilityMetadata {
  /** Where native-image looks for it on the class path. */
  public static final String FILE =
      "META-INF/native-image/io.karmi.karmic/stubs/reachability-metadata.json";

  private static final String SERIALIZABLE = "java.io.Serializable";

  /** The end of an entry whose objects are written and read. */
  private static final String SERIALIZED = ", \"serializable\": true";

  /** By type, as native-image wants it. */
  private final TreeMap<String, String> entries = new TreeMap<>();

  private final TreeSet<String> proxies = new TreeSet<>();
  private final Set<String> values = new LinkedHashSet<>();

  /** Those that were added: several may extend the same one. */
  private final Set<String> interfaces = new HashSet<>();

  /** Adds what the stubs and skeletons of some interfaces need. */
  public void add(RemoteModel model, List<ClassView> interfaces) {
    /* A stub that is an argument or a result is looked at as any serializable object is. */
    made(GeneratedNames.stub(model), "io.karmi.reference.ClientRef", SERIALIZED);
    made(GeneratedNames.skeleton(model), "io.karmi.id.RemoteInterface", "");
    List<String> quoted = new ArrayList<>();
    for (ClassView each : interfaces) {
      quoted.add(quote(each.name()));
      addInterface(each);
    }
    proxies.add("{\"type\": {\"proxy\": [" + String.join(", ", quoted) + "]}}");
  }

  private void made(String name, String parameter, String more) {
    entries.put(
        name,
        "\"methods\": [{\"name\": \"<init>\", \"parameterTypes\": ["
            + quote(parameter)
            + "]}], \"fields\": [{\"name\": \""
            + Emitter.FINGERPRINT
            + "\"}]"
            + more);
  }

  private void addInterface(ClassView type) {
    if (!interfaces.add(type.name())) {
      return;
    }
    entries.put(type.name(), "\"allDeclaredMethods\": true, \"allPublicMethods\": true");
    for (MethodView method : type.methods()) {
      if (!method.isStatic()) {
        for (Type parameter : Type.getArgumentTypes(method.descriptor())) {
          addValue(parameter, type);
        }
        addValue(Type.getReturnType(method.descriptor()), type);
        for (ClassView exception : method.exceptions()) {
          addValue(Type.getObjectType(exception.name().replace('.', '/')), type);
        }
      }
    }
    for (ClassView parent : type.interfaces()) {
      addInterface(parent);
    }
  }

  private void addValue(Type type, ClassView user) {
    Type element = type;
    if (type.getSort() == Type.ARRAY) {
      element = type.getElementType();
      entries.putIfAbsent(type.getClassName(), "\"unsafeAllocated\": true" + SERIALIZED);
    }
    String name = element.getClassName();
    if (element.getSort() != Type.OBJECT || !values.add(name)) {
      return;
    }
    try {
      ClassView value = user.named(name);
      if (!value.isInterface() && value.isSubtypeOf(SERIALIZABLE)) {
        addSerializable(value);
      }
    } catch (ClassFileException e) {
      /* RemoteCheck reports those that a signature names; of a field only the class is lost. */
    }
  }

  private void addSerializable(ClassView type) {
    entries.put(
        type.name(),
        "\"allDeclaredFields\": true, \"allDeclaredMethods\": true,"
            + " \"allDeclaredConstructors\": true, \"unsafeAllocated\": true"
            + SERIALIZED);
    for (String field : type.fieldTypes()) {
      addValue(Type.getType(field), type);
    }
    ClassView above = type.superclass();
    if (above != null && !above.name().equals("java.lang.Object") && values.add(above.name())) {
      addSerializable(above);
    }
  }

  /** All of it, the same for the same interfaces. */
  public String toJson() {
    List<String> lines = new ArrayList<>();
    entries.forEach((type, rest) -> lines.add("    {\"type\": " + quote(type) + ", " + rest + "}"));
    for (String proxy : proxies) {
      lines.add("    " + proxy);
    }
    return "{\n  \"reflection\": [\n" + String.join(",\n", lines) + "\n  ]\n}\n";
  }

  private static String quote(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
