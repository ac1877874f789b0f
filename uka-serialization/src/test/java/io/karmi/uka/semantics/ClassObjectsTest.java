package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Classes as objects, their descriptions, dynamic proxies and lambdas. */
@RunWith(SameProgram.class)
public class ClassObjectsTest {

  interface Greeter {
    String greet(String name);
  }

  interface Counter extends Serializable {
    int count();
  }

  static class Handler implements InvocationHandler, Serializable {
    final String word;
    Object self;

    Handler(String word) {
      this.word = word;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return switch (method.getName()) {
        case "greet" -> word + " " + arguments[0];
        case "count" -> word.length();
        case "hashCode" -> 7;
        case "equals" -> proxy == arguments[0];
        default -> "proxy of " + word;
      };
    }
  }

  static class NotSerializableHandler implements InvocationHandler {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return null;
    }
  }

  @FunctionalInterface
  interface SerializableFunction<A, B> extends Function<A, B>, Serializable {}

  static class Plain implements Serializable {
    int field;
  }

  static class NotSerializable {}

  enum Constant {
    ONE
  }

  record Rec(int a) implements Serializable {}

  @Test
  public void classesAreTheSame() throws Exception {
    Class<?>[] classes = {
      int.class,
      void.class,
      boolean.class,
      int[].class,
      String.class,
      String[][].class,
      Object.class,
      List.class,
      Runnable.class,
      Plain.class,
      Plain[].class,
      NotSerializable.class,
      NotSerializable[].class,
      Constant.class,
      Rec.class,
      Greeter.class,
      Class.class,
      ObjectStreamClass.class,
      Map.Entry.class,
      Override.class,
      Proxy.newProxyInstance(
              getClass().getClassLoader(), new Class<?>[] {Greeter.class}, new Handler("x"))
          .getClass()
    };
    for (Class<?> type : classes) {
      see(
          "same " + (Proxy.isProxyClass(type) ? "proxy" : type.getName()),
          attemptCopy(type) == type);
    }
    see("array of them", Wire.copy(new Class<?>[] {int.class, int.class, Plain.class}));
  }

  private static Object attemptCopy(Class<?> type) {
    return attempt("class", () -> Wire.copy(type));
  }

  @Test
  public void descriptionsAreObjects() throws Exception {
    ObjectStreamClass plain = ObjectStreamClass.lookup(Plain.class);
    ObjectStreamClass copy = Wire.copy(plain);
    see("name", copy.getName());
    see("uid", copy.getSerialVersionUID() == plain.getSerialVersionUID());
    see("class", copy.forClass());
    see("fields", copy.getFields().length);
    see("shown", copy.toString().equals(plain.toString()));
    ObjectStreamClass any = ObjectStreamClass.lookupAny(NotSerializable.class);
    see("not serializable", Wire.copy(any).getName());
    Object[] twice = Wire.copy(new Object[] {plain, plain, new Plain(), Plain.class});
    see("shared", twice[0] == twice[1]);
    see("same class", ((ObjectStreamClass) twice[0]).forClass() == twice[3]);
  }

  @Test
  public void descriptionsOfObjectsAndDescriptionsAsObjectsAreOne() throws Exception {
    ObjectStreamClass plain = ObjectStreamClass.lookup(Plain.class);
    Object[] read = Wire.read(Wire.write(new Plain(), plain, new Plain(), plain, Plain.class), 5);
    see("same description", read[1] == read[3]);
    see("class", ((ObjectStreamClass) read[1]).forClass() == read[4]);
  }

  private static Object proxy(InvocationHandler handler, Class<?>... faces) {
    return Proxy.newProxyInstance(ClassObjectsTest.class.getClassLoader(), faces, handler);
  }

  /** Fields of several types, some of them of a superclass. */
  static class Fields extends Plain {
    String text;
    int[] numbers;
    Object any;
    Fields self;
    long count;
  }

  @Test
  public void fieldsOfADescriptionThatHasBeenReadDoNotKnowTheirTypes() throws Exception {
    for (Class<?> type : List.of(Fields.class, Rec.class, Constant.class, Integer.class)) {
      ObjectStreamClass written = ObjectStreamClass.lookup(type);
      ObjectStreamClass read = Wire.copy(written);
      see(type.getSimpleName(), read.toString());
      see("class", read.forClass().getName());
      see("the local one", read == written);
      for (ObjectStreamField field : read.getFields()) {
        see(field.getName(), field.getType().getName() + " " + field.getTypeString());
      }
      ObjectStreamClass again = Wire.copy(read);
      see("copied again", again.toString() + again.getFields().length);
    }
  }

  @Test
  public void proxiesArrive() throws Exception {
    Handler handler = new Handler("hello");
    Greeter greeter = (Greeter) Wire.copy(proxy(handler, Greeter.class, Counter.class));
    see("greeting", greeter.greet("you"));
    see("count", ((Counter) greeter).count());
    see("is a proxy", Proxy.isProxyClass(greeter.getClass()));
    see(
        "same class",
        greeter.getClass() == proxy(handler, Greeter.class, Counter.class).getClass());
    see(
        "graph",
        Wire.copy(
            new Object[] {proxy(handler, Greeter.class), handler, proxy(handler, Counter.class)}));
    see(
        "public interfaces",
        ((Comparable<?>) Wire.copy(proxy(new Handler("c"), Comparable.class))).toString());
  }

  @Test
  public void proxyThatItsHandlerKnows() throws Exception {
    Handler handler = new Handler("cycle");
    Object proxy = proxy(handler, Greeter.class);
    handler.self = new Object[] {proxy, handler};
    see("cycle", Wire.copy(proxy));
  }

  @Test
  public void handlerThatIsNotSerializableIsNamed() {
    Wire.tryToWrite("write", proxy(new NotSerializableHandler(), Counter.class));
  }

  @Test
  public void lambdasArrive() throws Exception {
    String captured = "captured";
    int number = 5;
    SerializableFunction<String, String> function = x -> captured + x + number;
    see("applied", Wire.copy(function).apply("-"));
    Supplier<String> supplier = (Supplier<String> & Serializable) () -> captured;
    see("supplied", Wire.copy(supplier).get());
    SerializableFunction<String, Integer> reference = String::length;
    see("method reference", Wire.copy(reference).apply("four"));
    SerializableFunction<Integer, int[]> array = int[]::new;
    see("array constructor", Wire.copy(array).apply(2));
    SerializableFunction<Object, Object> bound = new Holder("bound")::with;
    see("bound", Wire.copy(bound).apply("x"));
    see("not serializable", Wire.tryToWrite("write", (Runnable) () -> {}) == null);
  }

  static class Holder implements Serializable {
    String text;

    Holder(String text) {
      this.text = text;
    }

    Object with(Object other) {
      return text + other;
    }
  }

  @Test
  public void lambdasInsideOthers() throws Exception {
    Comparator<String> byLength =
        Comparator.comparing((Function<String, Integer> & Serializable) String::length);
    TreeMap<String, Integer> map = new TreeMap<>(byLength.thenComparing(Comparator.reverseOrder()));
    map.put("bb", 1);
    map.put("a", 2);
    map.put("cc", 3);
    TreeMap<String, Integer> copy = Wire.copy(map);
    copy.put("ddd", 4);
    copy.put("dd", 5);
    see("sorted", copy);
  }

  @Test
  public void lambdasOfAnAlteredFormAreRefused() throws Exception {
    SerializedLambda forged =
        new SerializedLambda(
            ClassObjectsTest.class,
            "java/util/function/Function",
            "apply",
            "(Ljava/lang/Object;)Ljava/lang/Object;",
            6,
            "io/karmi/uka/semantics/ClassObjectsTest",
            "none",
            "(Ljava/lang/Object;)Ljava/lang/Object;",
            "(Ljava/lang/Object;)Ljava/lang/Object;",
            new Object[0]);
    byte[] bytes = Wire.write(forged);
    attempt("read", () -> Wire.read(bytes));
  }

  interface WithState extends Serializable {
    default Object readResolve() throws InvalidObjectException {
      event("readResolve of an interface");
      return this;
    }
  }

  @Test
  public void hooksOfInterfacesAreIgnored() throws Exception {
    see("proxy", Wire.copy(proxy(new Handler("w"), WithState.class)));
  }

  @Test
  public void classesInTheMiddleOfObjects() throws IOException, ClassNotFoundException {
    see(
        "mixed",
        Wire.copy(
            new Object[] {Plain.class, new Plain(), Plain.class, new Plain[0], Plain[].class}));
  }
}
