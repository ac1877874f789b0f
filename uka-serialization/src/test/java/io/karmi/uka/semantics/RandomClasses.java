package io.karmi.uka.semantics;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Sources of random classes, and of other versions of them: hierarchies whose levels have fields of
 * every type, and every hook that {@code java.io} knows, with data before, between and after the
 * fields.
 */
final class RandomClasses {
  private static final String[] PRIMITIVES = {
    "boolean", "byte", "char", "short", "int", "long", "float", "double"
  };
  private static final String[] REFERENCES = {
    "Object",
    "Object",
    "Object",
    "String",
    "Integer",
    "Long",
    "Double",
    "Boolean",
    "java.util.UUID",
    "Number",
    "int[]",
    "byte[]",
    "Object[]",
    "String[]",
    "long[][]",
    "java.util.List<?>",
    "java.util.Map<?, ?>",
    "java.io.Serializable",
    "Comparable<?>",
    "RandomHooks.Part",
    "RandomObjects.Colour",
    "java.time.LocalDate",
    "java.math.BigDecimal",
    "Class<?>",
  };
  private static final String[] PLATFORM = {
    "java.util.ArrayList<Object>", "java.util.HashMap<Object, Object>",
    "java.util.LinkedList<Object>", "java.util.TreeMap<Object, Object>",
    "java.util.ArrayDeque<Object>", "java.util.LinkedHashMap<Object, Object>",
    "java.util.Date", "Exception",
  };

  private enum Kind {
    BARE,
    SERIALIZABLE,
    EXTERNALIZABLE,
    RECORD
  }

  private record Field(String name, String type, boolean isFinal, boolean isTransient) {
    boolean isPrimitive() {
      return List.of(PRIMITIVES).contains(type);
    }
  }

  /** One thing that a method of a class writes, or reads. */
  private record Step(char what, String field, int number) {}

  private static final class Type {
    String name;
    Kind kind;
    String parent = "Object";
    int depth = 1;
    List<Field> fields = new ArrayList<>();
    List<Step> steps;
    int unread;
    boolean readsOn;
    boolean noData;
    String replace;
    String resolve;
    String persistent;
    boolean hasUid;

    Type copy() {
      Type copy = new Type();
      copy.name = name;
      copy.kind = kind;
      copy.parent = parent;
      copy.fields = new ArrayList<>(fields);
      copy.steps = steps == null ? null : new ArrayList<>(steps);
      copy.unread = unread;
      copy.readsOn = readsOn;
      copy.noData = noData;
      copy.replace = replace;
      copy.resolve = resolve;
      copy.persistent = persistent;
      copy.hasUid = hasUid;
      return copy;
    }

    Field field(String fieldName) {
      return fields.stream().filter(f -> f.name.equals(fieldName)).findFirst().orElse(null);
    }
  }

  private final Random random;
  private final List<Type> types = new ArrayList<>();

  /** As many classes as the generator pleases, all of which have other versions too, or none. */
  RandomClasses(Random random, boolean evolving) {
    this.random = random;
    for (int i = 4 + random.nextInt(6); i > 0; i--) {
      types.add(type(evolving));
    }
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T any(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  List<String> names() {
    return types.stream().map(type -> type.name).toList();
  }

  private Type type(boolean evolving) {
    Type type = new Type();
    type.name = "K" + types.size();
    int kind = random.nextInt(100);
    type.kind =
        kind < 10
            ? Kind.BARE
            : kind < 22 ? Kind.EXTERNALIZABLE : kind < 35 ? Kind.RECORD : Kind.SERIALIZABLE;
    type.hasUid = evolving || chance(50);
    chooseParent(type);
    for (int i = random.nextInt(7); i > 0; i--) {
      type.fields.add(field("f" + type.fields.size(), type.kind == Kind.RECORD));
    }
    if (type.kind == Kind.EXTERNALIZABLE || type.kind == Kind.SERIALIZABLE && chance(45)) {
      chooseSteps(type);
    }
    type.noData = type.kind == Kind.SERIALIZABLE && chance(40);
    choosePersistent(type);
    if (type.kind != Kind.BARE && chance(15)) {
      type.replace = any(List.of("this", "reference", "form"));
    }
    if (type.kind != Kind.BARE && chance(15)) {
      type.resolve = any(List.of("this", "reference", "shared", "box", "null"));
    }
    return type;
  }

  private void chooseParent(Type type) {
    if (type.kind == Kind.RECORD) {
      return;
    }
    List<Type> parents =
        types.stream()
            .filter(each -> each.kind != Kind.RECORD && each.depth < 5)
            .filter(each -> type.kind != Kind.BARE || each.kind == Kind.BARE)
            .filter(each -> type.kind != Kind.SERIALIZABLE || each.kind != Kind.EXTERNALIZABLE)
            .toList();
    if (!parents.isEmpty() && chance(60)) {
      Type parent = any(parents);
      type.parent = parent.name;
      type.depth = parent.depth + 1;
    } else if (type.kind == Kind.SERIALIZABLE && chance(15)) {
      type.parent = PLATFORM[random.nextInt(PLATFORM.length)];
    }
  }

  private Field field(String name, boolean component) {
    String type;
    if (chance(40)) {
      type = PRIMITIVES[random.nextInt(PRIMITIVES.length)];
    } else if (!types.isEmpty() && chance(25)) {
      type = any(types).name;
    } else {
      type = REFERENCES[random.nextInt(REFERENCES.length)];
    }
    return new Field(name, type, !component && chance(20), !component && chance(15));
  }

  private void chooseSteps(Type type) {
    type.steps = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      type.steps.add(step(type));
    }
    if (type.kind == Kind.SERIALIZABLE && chance(85)) {
      int at = chance(50) ? 0 : random.nextInt(type.steps.size() + 1);
      type.steps.add(at, new Step(chance(70) ? 'D' : 'P', null, 0));
    }
    type.unread = chance(15) ? 1 + random.nextInt(2) : 0;
    type.readsOn = type.unread == 0 && chance(15);
  }

  private Step step(Type type) {
    List<Field> references = type.fields.stream().filter(f -> !f.isPrimitive()).toList();
    if (!references.isEmpty() && chance(50)) {
      return new Step(chance(95) ? 'O' : 'U', any(references).name, 0);
    }
    return new Step("ILTBZNFH".charAt(random.nextInt(8)), null, random.nextInt(3000));
  }

  private void choosePersistent(Type type) {
    if (type.kind != Kind.SERIALIZABLE || !chance(10)) {
      return;
    }
    type.persistent =
        type.fields.stream()
            .filter(f -> chance(70))
            .map(
                f ->
                    "new ObjectStreamField(\""
                        + f.name
                        + "\", "
                        + raw(f.type)
                        + ".class"
                        + (!f.isPrimitive() && chance(20) ? ", true)" : ")"))
            .collect(Collectors.joining(", "));
  }

  private static String raw(String type) {
    return type.replaceAll("<.*>", "");
  }

  /** The sources, and that of what calls streams in their name. */
  List<String> sources() {
    return sources(types);
  }

  /** The sources of another version of the classes. */
  List<String> evolvedSources() {
    List<Type> evolved = new ArrayList<>();
    for (Type type : types) {
      Type next = type.copy();
      evolve(next, evolved);
      evolved.add(next);
    }
    return sources(evolved);
  }

  private void evolve(Type type, List<Type> before) {
    type.fields.removeIf(f -> type.kind != Kind.RECORD && chance(15));
    for (int i = 0; i < type.fields.size(); i++) {
      if (chance(3)) {
        Field old = type.fields.get(i);
        type.fields.set(i, field(old.name, type.kind == Kind.RECORD));
      }
    }
    if (chance(30)) {
      type.fields.add(
          random.nextInt(type.fields.size() + 1), field("g" + type.name, type.kind == Kind.RECORD));
    }
    type.persistent = null;
    boolean beginsWithFields = type.steps != null && fieldsAt(type) == 0;
    if (type.kind == Kind.SERIALIZABLE && beginsWithFields && chance(20)) {
      type.steps = null;
    }
    if (type.kind == Kind.SERIALIZABLE && type.parent.startsWith("K") && chance(15)) {
      Type parent = before.get(Integer.parseInt(type.parent.substring(1)));
      /* Who lacks a class takes its fields for the first that its method has written. */
      type.parent = parent.steps == null || fieldsAt(parent) == 0 ? parent.parent : type.parent;
    }
    if (type.kind == Kind.SERIALIZABLE && type.parent.equals("Object") && chance(25)) {
      List<Type> parents = before.stream().filter(t -> t.kind == Kind.SERIALIZABLE).toList();
      type.parent = parents.isEmpty() ? "Object" : any(parents).name;
    }
  }

  private static List<String> sources(List<Type> types) {
    List<String> sources = new ArrayList<>();
    sources.add(
        "public class Caller implements io.karmi.uka.semantics.RandomHooks.Caller {"
            + " public java.io.ObjectInputStream open(java.io.InputStream in)"
            + " throws java.io.IOException { return new java.io.ObjectInputStream(in); }"
            + " public Object read(java.io.ObjectInputStream in)"
            + " throws java.io.IOException, ClassNotFoundException { return in.readObject(); }"
            + " public Object readUnshared(java.io.ObjectInputStream in)"
            + " throws java.io.IOException, ClassNotFoundException { return in.readUnshared(); } }");
    types.forEach(type -> sources.add(source(type)));
    return sources;
  }

  private static String source(Type type) {
    StringBuilder text = new StringBuilder("import io.karmi.uka.semantics.*; import java.io.*;\n");
    text.append("@SuppressWarnings(\"all\") public ");
    if (type.kind == Kind.RECORD) {
      text.append("record ").append(type.name).append('(');
      text.append(
          type.fields.stream().map(f -> f.type + " " + f.name).collect(Collectors.joining(", ")));
      text.append(") implements Serializable, RandomHooks.Part {\n");
      text.append("  public ").append(type.name).append(" { ").append(call(type, "new"));
      text.append("}\n");
    } else {
      text.append("class ").append(type.name).append(" extends ").append(type.parent);
      text.append(" implements RandomHooks.Part");
      text.append(type.kind == Kind.SERIALIZABLE ? ", Serializable" : "");
      text.append(type.kind == Kind.EXTERNALIZABLE ? ", Externalizable" : "").append(" {\n");
      addFields(text, type);
    }
    if (type.hasUid) {
      text.append("  private static final long serialVersionUID = 7;\n");
    }
    if (type.persistent != null) {
      text.append("  private static final ObjectStreamField[] serialPersistentFields = {");
      text.append(type.persistent).append("};\n");
    }
    addMethods(text, type);
    return text.append("}\n").toString();
  }

  private static String call(Type type, String method) {
    return "RandomHooks.called(\"" + type.name + "." + method + "\"); ";
  }

  private static String saw(Type type, int step, String value) {
    return "RandomHooks.saw(\"" + type.name + "." + step + "\", " + value + "); ";
  }

  private static void addFields(StringBuilder text, Type type) {
    for (Field field : type.fields) {
      text.append("  ").append(field.isTransient ? "transient " : "");
      text.append(field.isFinal ? "final " : "").append(field.type).append(' ').append(field.name);
      text.append(";\n");
    }
    text.append("  public ").append(type.name).append("() { ").append(call(type, "new"));
    for (Field field : type.fields) {
      text.append(field.name).append(" = ").append(zero(field)).append("; ");
    }
    /* That of a constructor that reading calls tells how it was called. */
    text.append("if ((Object) this instanceof Throwable thrown) ");
    text.append("thrown.setStackTrace(new StackTraceElement[0]); }\n");
  }

  private static String zero(Field field) {
    return !field.isPrimitive()
        ? "null"
        : field.type.equals("boolean") ? "false" : "(" + field.type + ") 0";
  }

  private static void addMethods(StringBuilder text, Type type) {
    if (type.steps != null) {
      boolean external = type.kind == Kind.EXTERNALIZABLE;
      text.append(
          external
              ? "  public void writeExternal(ObjectOutput out) throws IOException { "
              : "  private void writeObject(ObjectOutputStream out) throws IOException { ");
      text.append(call(type, "write")).append('\n');
      for (Step step : type.steps) {
        text.append("    ").append(writing(type, step)).append('\n');
      }
      text.append("  }\n");
      text.append(
          external
              ? "  public void readExternal(ObjectInput in)"
              : "  private void readObject(ObjectInputStream in)");
      text.append(" throws IOException, ClassNotFoundException { ");
      text.append(call(type, "read")).append('\n');
      addReading(text, type);
      text.append("  }\n");
    }
    if (type.noData) {
      text.append("  private void readObjectNoData() { ").append(call(type, "noData"));
      text.append("}\n");
    }
    String reference =
        type.fields.stream()
            .filter(f -> f.type.equals("Object"))
            .map(Field::name)
            .findFirst()
            .orElse("this");
    if (type.replace != null) {
      text.append(type.parent.startsWith("K") ? "  protected" : "  private");
      text.append(" Object writeReplace() { ").append(call(type, "replace")).append("return ");
      text.append(replacement(type.replace, reference)).append("; }\n");
    }
    if (type.resolve != null) {
      text.append(type.parent.startsWith("K") ? "  protected" : "  private");
      text.append(" Object readResolve() { ").append(call(type, "resolve")).append("return ");
      text.append(replacement(type.resolve, reference)).append("; }\n");
    }
  }

  private static String replacement(String what, String reference) {
    switch (what) {
      case "reference":
        return reference;
      case "form":
        return "new RandomObjects.Form(" + (reference.equals("this") ? "7" : reference) + ")";
      case "shared":
        return "RandomHooks.SHARED";
      case "box":
        return "77";
      default:
        return what;
    }
  }

  private static String writing(Type type, Step step) {
    Field field = step.field == null ? null : type.field(step.field);
    String value = field == null ? "null" : field.name;
    switch (step.what) {
      case 'D':
        return "out.defaultWriteObject();";
      case 'P':
        return putFields(type);
      case 'O':
        return "out.writeObject(" + value + ");";
      case 'U':
        return type.kind == Kind.EXTERNALIZABLE
            ? "((ObjectOutputStream) out).writeUnshared(" + value + ");"
            : "out.writeUnshared(" + value + ");";
      case 'I':
        return "out.writeInt(" + step.number + ");";
      case 'L':
        return "out.writeLong(" + step.number + "L << 40);";
      case 'T':
        return "out.writeUTF(\"text " + step.number + "\");";
      case 'B':
        return "out.write(new byte[" + step.number + "]);";
      case 'Z':
        return "out.writeBoolean(" + (step.number % 2 == 0) + ");";
      case 'N':
        return "out.writeObject(new long[] {" + step.number + "});";
      case 'F':
        return "out.flush();";
      default:
        return call(type, "halfway");
    }
  }

  private static String putFields(Type type) {
    StringBuilder text = new StringBuilder("ObjectOutputStream.PutField p = out.putFields(); ");
    if (type.persistent == null) {
      for (Field field : type.fields) {
        if (!field.isTransient && field.name.hashCode() % 5 != 0) {
          text.append("p.put(\"").append(field.name).append("\", ").append(field.name);
          text.append("); ");
        }
      }
    }
    return text.append("out.writeFields();").toString();
  }

  private static void addReading(StringBuilder text, Type type) {
    int size = type.steps.size();
    int fields = fieldsAt(type);
    for (int i = 0; i < size; i++) {
      Step step = type.steps.get(i);
      /* In front of fields, which are in no block, there is nothing that could be left or asked. */
      if (i <= fields ? step.what != 'F' : i < size - type.unread) {
        text.append("    ").append(reading(type, i, step)).append('\n');
      }
    }
    if (type.readsOn) {
      String where = "\"" + type.name + ".more\"";
      text.append("    try { RandomHooks.saw(").append(where);
      text.append(size % 2 == 0 ? ", in.readObject());" : ", in.readInt());");
      text.append(" } catch (EOFException | OptionalDataException e) { RandomHooks.failed(");
      text.append(where).append(", e); }\n");
    }
  }

  /** Which step is about the fields; -1 if none is. */
  private static int fieldsAt(Type type) {
    for (int i = 0; i < type.steps.size(); i++) {
      if ("DP".indexOf(type.steps.get(i).what) >= 0) {
        return i;
      }
    }
    return -1;
  }

  private static String reading(Type type, int number, Step step) {
    Field field = step.field == null ? null : type.field(step.field);
    String value = "o" + number;
    switch (step.what) {
      case 'D':
        return "in.defaultReadObject();";
      case 'P':
        return getFields(type);
      case 'O':
      case 'U':
        return "Object "
            + value
            + (step.what == 'O'
                ? " = in.readObject(); "
                : " = ((ObjectInputStream) in).readUnshared(); ")
            + saw(type, number, value)
            + (field == null || field.isFinal || field.isPrimitive()
                ? ""
                : field.name + " = (" + field.type + ") " + value + ";");
      case 'I':
        return saw(type, number, "in.readInt()");
      case 'L':
        return saw(type, number, "in.readLong()");
      case 'T':
        return saw(type, number, "in.readUTF()");
      case 'B':
        return bytes(type, number, step);
      case 'Z':
        return saw(type, number, "in.readBoolean()");
      case 'N':
        return saw(type, number, "((long[]) in.readObject())[0]");
      case 'F':
        return saw(type, number, "in.available()");
      default:
        return call(type, "halfway");
    }
  }

  private static String bytes(Type type, int number, Step step) {
    String array = "byte[] b" + number + " = new byte[" + step.number + "]; ";
    switch (step.number % 3) {
      case 0:
        return array + "in.readFully(b" + number + "); " + saw(type, number, "b" + number);
      case 1:
        return saw(type, number, "in.skipBytes(" + step.number + ")");
      default:
        return array
            + "for (int n = 0; n < b"
            + number
            + ".length; ) { int got = in.read(b"
            + number
            + ", n, b"
            + number
            + ".length - n); "
            + saw(type, number, "got")
            + "if (got < 0) throw new EOFException(); n += got; }";
    }
  }

  private static String getFields(Type type) {
    StringBuilder text = new StringBuilder("ObjectInputStream.GetField g = in.readFields(); ");
    if (type.persistent != null) {
      return text.toString();
    }
    for (Field field : type.fields) {
      if (field.isTransient || field.isFinal) {
        continue;
      }
      String get = "g.get(\"" + field.name + "\", " + typedZero(field) + ")";
      text.append(field.name).append(" = (").append(field.type).append(") ").append(get);
      text.append("; ");
    }
    return text.toString();
  }

  private static String typedZero(Field field) {
    return field.isPrimitive() ? zero(field) : "(Object) null";
  }
}
