package io.karmi.stubgen.emit;

import io.karmi.stubgen.model.ClassFileException;
import io.karmi.stubgen.model.ClassView;
import io.karmi.stubgen.model.RemoteMethod;
import io.karmi.stubgen.model.RemoteModel;
import io.karmi.stubgen.model.SourceTypes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Type;

/**
 * Stubs and skeletons as Java source, to look at or to compile: what {@link StubEmitter} and {@link
 * SkeletonEmitter} emit as class files, and as a human would write it.
 */
public final class JavaSource {
  private static final String INDENT = "  ";
  private static final List<String> ANY = List.of("java.lang.Exception", "java.lang.Throwable");

  private final RemoteModel model;
  private final List<ClassView> interfaces;
  private final ClassView home;
  private final SourceTypes types;
  private final StringBuilder text = new StringBuilder();

  private JavaSource(RemoteModel model, List<ClassView> interfaces) {
    this.model = model;
    this.interfaces = interfaces;
    home = interfaces.get(0);
    types = SourceTypes.of(interfaces);
  }

  /**
   * The source of the stub.
   *
   * @param interfaces the views that the model was made from
   */
  public static String stub(RemoteModel model, List<ClassView> interfaces) {
    return new JavaSource(model, interfaces).stub();
  }

  /**
   * The source of the skeleton.
   *
   * @param interfaces the views that the model was made from
   */
  public static String skeleton(RemoteModel model, List<ClassView> interfaces) {
    return new JavaSource(model, interfaces).skeleton();
  }

  private String stub() {
    begin(GeneratedNames.stub(model), "io.karmi.stub.Stub", true);
    constructor(GeneratedNames.stub(model), "io.karmi.reference.ClientRef", "reference");
    Map<List<Kind>, String> holders = new LinkedHashMap<>();
    for (RemoteMethod method : types.declarable(model, home)) {
      stubMethod(method, holders);
    }
    holders.forEach(this::holder);
    return text.append("}\n").toString();
  }

  private void begin(String name, String superclass, boolean implementing) {
    int dot = name.lastIndexOf('.');
    line(0, "// Made by karmic from " + String.join(", ", model.interfaces()) + ".");
    if (dot > 0) {
      line(0, "package " + name.substring(0, dot) + ";");
    }
    line(0, "");
    line(0, "@SuppressWarnings({\"deprecation\", \"rawtypes\", \"removal\", \"unchecked\"})");
    List<String> names = new ArrayList<>();
    for (ClassView each : interfaces) {
      names.add(name(each.name()));
    }
    String list = implementing ? " implements " + String.join(", ", names) : "";
    line(0, "public final class " + simple(name) + " extends " + superclass + list + " {");
    line(1, "public static final long FINGERPRINT = " + model.fingerprint() + "L;");
  }

  private void constructor(String name, String argument, String argumentName) {
    line(0, "");
    line(1, "public " + simple(name) + "(" + argument + " " + argumentName + ") {");
    line(2, "super(" + argumentName + ");");
    line(1, "}");
  }

  private void stubMethod(RemoteMethod method, Map<List<Kind>, String> holders) {
    String descriptor = types.descriptor(method);
    Type[] parameters = Type.getArgumentTypes(descriptor);
    line(0, "");
    line(1, "@Override");
    line(
        1,
        "public "
            + name(Type.getReturnType(descriptor))
            + " "
            + method.name()
            + parameterList(parameters)
            + throwing(method)
            + " {");
    if (method.signature().equals("finalize()V")) {
      line(2, "// called by the collector only");
    } else {
      stubBody(method, call(method, holderCall(parameters, holders)));
    }
    line(1, "}");
  }

  private void stubBody(RemoteMethod method, String call) {
    List<String> passing = passing(types.exceptions(method));
    if (passing.isEmpty() || isFuture(Type.getReturnType(method.descriptor()))) {
      line(2, call);
      return;
    }
    line(2, "try {");
    line(3, call);
    line(2, "} catch (" + String.join(" | ", passing) + " e) {");
    line(3, "throw e;");
    line(2, "} catch (Exception e) {");
    line(3, "throw unexpected(e);");
    line(2, "}");
  }

  /** The call of the reference, as a statement. */
  private String call(RemoteMethod method, String arguments) {
    Type result = Type.getReturnType(types.descriptor(method));
    Kind kind = Kind.of(result);
    boolean future = isFuture(result);
    boolean exact = Emitter.isExact(Type.getReturnType(method.descriptor()));
    String call =
        "reference."
            + (future ? "futureApplicationCall" : kind.applicationCall())
            + "("
            + number(method)
            + ", "
            + arguments
            + (exact ? ", " + name(result) + ".class" : "")
            + ");";
    if (kind == Kind.VOID) {
      return call;
    }
    return "return " + (kind == Kind.OBJECT && !future ? cast(result) : "") + call;
  }

  /** Its failure comes later, too. */
  private static boolean isFuture(Type type) {
    return type.getDescriptor().equals(RuntimeNames.descriptor(RuntimeNames.FUTURE));
  }

  private int number(RemoteMethod method) {
    return model.methods().indexOf(method);
  }

  private static String holderCall(Type[] parameters, Map<List<Kind>, String> holders) {
    if (parameters.length == 0) {
      return "io.karmi.marshal.Arguments.NONE";
    }
    List<Kind> kinds = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < parameters.length; i++) {
      kinds.add(Kind.of(parameters[i]));
      names.add("a" + i);
    }
    String holder = holders.computeIfAbsent(kinds, absent -> "Arguments" + holders.size());
    return "new " + holder + "(" + String.join(", ", names) + ")";
  }

  private void holder(List<Kind> kinds, String name) {
    Type[] parameters = new Type[kinds.size()];
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] = kinds.get(i).type();
    }
    line(0, "");
    line(1, "private static final class " + name + " extends io.karmi.marshal.Arguments {");
    for (int i = 0; i < parameters.length; i++) {
      line(2, "private final " + name(parameters[i]) + " a" + i + ";");
    }
    line(0, "");
    line(2, name + parameterList(parameters) + " {");
    for (int i = 0; i < parameters.length; i++) {
      line(3, "this.a" + i + " = a" + i + ";");
    }
    line(2, "}");
    line(0, "");
    line(2, "@Override");
    line(2, "public void marshal(io.karmi.marshal.CallOutput out) throws java.io.IOException {");
    for (int i = 0; i < parameters.length; i++) {
      line(3, "out." + kinds.get(i).writer() + "(a" + i + ");");
    }
    line(2, "}");
    line(1, "}");
  }

  private String skeleton() {
    String name = GeneratedNames.skeleton(model);
    begin(name, "io.karmi.reference.Skeleton", false);
    constructor(name, "io.karmi.id.RemoteInterface", "remoteInterface");
    line(0, "");
    line(1, "@Override");
    line(1, "public void upCall(");
    line(3, "java.rmi.Remote target,");
    line(3, "int methodNumber,");
    line(3, "io.karmi.marshal.CallInput in,");
    line(3, "io.karmi.marshal.CallOutput out)");
    line(3, "throws Throwable {");
    line(2, "switch (methodNumber) {");
    for (RemoteMethod method : model.methods()) {
      line(3, "case " + number(method) + ": call" + number(method) + "(target, in, out); return;");
    }
    line(3, "default: throw new java.rmi.UnmarshalException(\"invalid method number\");");
    line(2, "}");
    line(1, "}");
    for (RemoteMethod method : model.methods()) {
      piece(method);
    }
    return text.append("}\n").toString();
  }

  private void piece(RemoteMethod method) {
    Type[] parameters = Type.getArgumentTypes(types.descriptor(method));
    Type[] erased = Type.getArgumentTypes(method.descriptor());
    line(0, "");
    line(1, "private static void call" + number(method) + "(");
    line(3, "java.rmi.Remote target,");
    line(3, "io.karmi.marshal.CallInput in,");
    line(3, "io.karmi.marshal.CallOutput out)");
    line(3, "throws Throwable {");
    List<String> names = new ArrayList<>();
    for (int i = 0; i < parameters.length; i++) {
      String type = name(parameters[i]);
      line(2, type + " a" + i + " = " + read(parameters[i], erased[i]) + ";");
      names.add("a" + i);
    }
    line(2, "in.endArguments();");
    String call =
        "(("
            + name(method.owner())
            + ") target)."
            + method.name()
            + "("
            + String.join(", ", names)
            + ")";
    result(Type.getReturnType(types.descriptor(method)), call);
    line(1, "}");
  }

  private String read(Type type, Type erased) {
    Kind kind = Kind.of(type);
    if (kind != Kind.OBJECT) {
      return "in." + kind.reader() + "()";
    }
    return cast(type)
        + (Emitter.isExact(erased)
            ? "in.readExactly(" + name(erased) + ".class)"
            : "in.readObject()");
  }

  private void result(Type type, String call) {
    Kind kind = Kind.of(type);
    if (kind == Kind.VOID) {
      line(2, call + ";");
      line(2, "out.beginResult();");
      return;
    }
    boolean future = isFuture(type);
    String variable = future ? "Object" : name(type);
    line(2, variable + " result = " + (future ? "outcome(" + call + ")" : call) + ";");
    line(2, "out.beginResult();");
    line(2, "out." + kind.writer() + "(result);");
  }

  /** The exceptions to let pass, none of them below another; empty if all may pass. */
  private List<String> passing(List<String> declared) {
    List<String> all = new ArrayList<>();
    all.add("java.lang.RuntimeException");
    for (String each : declared) {
      if (ANY.contains(each)) {
        return List.of();
      }
      if (home.named(each).isSubtypeOf("java.lang.Exception")) {
        all.add(each);
      }
    }
    List<String> topmost = new ArrayList<>();
    for (String each : all) {
      if (all.stream().noneMatch(other -> !other.equals(each) && isBelow(each, other))
          && !topmost.contains(name(each))) {
        topmost.add(name(each));
      }
    }
    return topmost;
  }

  private boolean isBelow(String name, String above) {
    return home.named(name).isSubtypeOf(above);
  }

  private String throwing(RemoteMethod method) {
    List<String> names = new ArrayList<>();
    for (String each : types.exceptions(method)) {
      names.add(name(each));
    }
    return names.isEmpty() ? "" : " throws " + String.join(", ", names);
  }

  private String parameterList(Type[] parameters) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < parameters.length; i++) {
      all.add(name(parameters[i]) + " a" + i);
    }
    return "(" + String.join(", ", all) + ")";
  }

  private String cast(Type type) {
    return type.getDescriptor().equals("Ljava/lang/Object;") ? "" : "(" + name(type) + ") ";
  }

  private String name(Type type) {
    if (type.getSort() == Type.ARRAY) {
      return name(type.getElementType()) + "[]".repeat(type.getDimensions());
    }
    return type.getSort() == Type.OBJECT ? name(type.getClassName()) : type.getClassName();
  }

  /** As Java names it: a class inside another with a dot, where the other one is there. */
  private String name(String binaryName) {
    int start = binaryName.lastIndexOf('.') + 1;
    int dollar = binaryName.lastIndexOf('$', binaryName.length() - 2);
    while (dollar > start) {
      String outer = binaryName.substring(0, dollar);
      if (isThere(outer)) {
        return name(outer) + "." + binaryName.substring(dollar + 1);
      }
      dollar = binaryName.lastIndexOf('$', dollar - 1); // the sign is part of a name
    }
    return binaryName;
  }

  private boolean isThere(String name) {
    try {
      home.named(name).isInterface();
      return true;
    } catch (ClassFileException e) {
      return false;
    }
  }

  private static String simple(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private void line(int depth, String line) {
    text.append(INDENT.repeat(line.isEmpty() ? 0 : depth)).append(line).append('\n');
  }
}
