package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.attemptTo;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.Observed;
import io.karmi.uka.differential.SameProgram;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Methods that a subclass of a stream overrides: when, how often and with what they are called. */
@RunWith(SameProgram.class)
public class StreamHooksTest {

  static class NotingOutput extends ObjectOutputStream {
    NotingOutput(OutputStream out) throws IOException {
      super(out);
    }

    NotingOutput(OutputStream out, boolean replacing) throws IOException {
      super(out);
      see("was replacing", enableReplaceObject(replacing));
    }

    @Override
    protected void annotateClass(Class<?> type) throws IOException {
      event("annotateClass " + type.getName());
      writeUTF("note on " + type.getSimpleName());
    }

    @Override
    protected void annotateProxyClass(Class<?> type) throws IOException {
      event("annotateProxyClass " + Arrays.toString(type.getInterfaces()));
      writeObject("note on a proxy");
    }

    @Override
    protected Object replaceObject(Object object) {
      see("replaceObject", object);
      return object;
    }
  }

  static class NotingInput extends ObjectInputStream {
    NotingInput(InputStream in, boolean resolving) throws IOException {
      super(in);
      see("was resolving", enableResolveObject(resolving));
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      event(
          "resolveClass "
              + description.getName()
              + " "
              + description.getFields().length
              + " "
              + description.forClass());
      event("version " + description.getSerialVersionUID());
      event("annotation " + readUTF() + " then " + read());
      return super.resolveClass(description);
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces)
        throws IOException, ClassNotFoundException {
      event("resolveProxyClass " + Arrays.toString(interfaces));
      event("annotation " + readObject());
      return super.resolveProxyClass(interfaces);
    }

    @Override
    protected Object resolveObject(Object object) {
      see("resolveObject", object);
      return object;
    }
  }

  static class Parent implements Serializable {
    int p = 1;
  }

  static class Child extends Parent {
    Object c = new Parent();
  }

  static class Replacing implements Serializable {
    private Object writeReplace() {
      return new Parent();
    }
  }

  static class Resolving implements Serializable {
    private Object readResolve() {
      return "resolved";
    }
  }

  static class Handler implements InvocationHandler, Serializable {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return null;
    }
  }

  interface Face {}

  private static void through(boolean hooks, Object... objects) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new NotingOutput(bytes, hooks)) {
      for (Object object : objects) {
        out.writeObject(object);
      }
    }
    Observed.bytes("written", bytes.toByteArray());
    try (ObjectInputStream in =
        new NotingInput(new ByteArrayInputStream(bytes.toByteArray()), hooks)) {
      for (int i = 0; i < objects.length; i++) {
        see("read", in.readObject());
      }
    }
  }

  @Test
  public void classesAreAnnotatedOncePerStream() throws Exception {
    through(
        false,
        new Child(),
        new Child(),
        new Parent(),
        new Parent[0],
        new int[0][0],
        Parent.class,
        RoundingMode.UP,
        String.class,
        "text",
        5);
    through(
        false,
        Proxy.newProxyInstance(
            Face.class.getClassLoader(),
            new Class<?>[] {Face.class, Comparable.class},
            new Handler()));
  }

  @Test
  public void everyObjectIsOfferedForReplacement() throws Exception {
    Parent shared = new Parent();
    through(
        true,
        "text",
        5,
        new int[] {1},
        new Object[] {shared, shared, "text", null},
        new Child(),
        RoundingMode.UP,
        String.class,
        new Replacing(),
        new Resolving(),
        new ArrayList<>(List.of("e")),
        ObjectStreamClass.lookup(Parent.class),
        null);
  }

  /** Replaces and resolves by given tables. */
  static class Exchanging extends ObjectOutputStream {
    final Object[] pairs;

    Exchanging(OutputStream out, Object... pairs) throws IOException {
      super(out);
      this.pairs = pairs;
      enableReplaceObject(true);
    }

    boolean replaces(boolean whether) {
      return enableReplaceObject(whether);
    }

    @Override
    protected Object replaceObject(Object object) throws IOException {
      for (int i = 0; i < pairs.length; i += 2) {
        if (pairs[i] == object || pairs[i].equals(object)) {
          if (pairs[i + 1] instanceof IOException thrown) {
            throw thrown;
          }
          return pairs[i + 1];
        }
      }
      return object;
    }
  }

  /** Lets the stream replace objects from here on, or no more. */
  static class Switch implements Serializable {
    final boolean replacing;

    Switch(boolean replacing) {
      this.replacing = replacing;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      see("was replacing", ((Exchanging) out).replaces(replacing));
      out.defaultWriteObject();
    }
  }

  static class Reversing extends ObjectInputStream {
    final Object[] pairs;

    Reversing(InputStream in, Object... pairs) throws IOException {
      super(in);
      this.pairs = pairs;
      enableResolveObject(true);
    }

    @Override
    protected Object resolveObject(Object object) throws IOException {
      for (int i = 0; i < pairs.length; i += 2) {
        if (pairs[i].equals(object)) {
          if (pairs[i + 1] instanceof IOException thrown) {
            throw thrown;
          }
          return pairs[i + 1];
        }
      }
      return object;
    }
  }

  static class Typed implements Serializable {
    String text = "text";
    Integer number = 5;
    Object any = "any";
  }

  private static byte[] exchanging(Object object, Object... pairs) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new Exchanging(bytes, pairs)) {
      out.writeObject(object);
      out.writeObject("after");
    }
    Observed.bytes("written", bytes.toByteArray());
    return bytes.toByteArray();
  }

  @Test
  public void replacementsOfTheStream() throws Exception {
    see("string", Wire.read(exchanging(new Typed(), "text", "other", "any", 7), 2));
    see(
        "to null",
        Wire.read(
            exchanging(new Typed(), "text", 5, 5, "text").clone().length > 0
                ? exchanging("x", "x", "y")
                : null,
            2));
    Object[] array = {"a", "b"};
    see("array", Wire.read(exchanging(new Object[] {array, array}, array, new int[] {1}), 2));
    see("to an enum", Wire.read(exchanging(new Object[] {"e"}, "e", RoundingMode.UP), 2));
    see("to a class", Wire.read(exchanging(new Object[] {"e"}, "e", Typed.class), 2));
    attemptTo(
        "to something that is not serializable",
        () -> exchanging(new Object[] {"e"}, "e", new Object()));
    attemptTo("throwing", () -> exchanging(new Object[] {"e"}, "e", new IOException("not today")));
    see(
        "not serializable to serializable",
        Wire.read(
            exchanging(new Object[] {Thread.currentThread()}, Thread.currentThread(), "thread"),
            2));
    byte[] wrong = exchanging(new Typed(), "text", 6);
    attempt("of the wrong type", () -> Wire.read(wrong));
  }

  @Test
  public void resolutionsOfTheStream() throws Exception {
    byte[] bytes =
        Wire.write(new Typed(), "after", new Object[] {"any", "any"}, new String[] {"any"});
    try (ObjectInputStream in =
        new Reversing(new ByteArrayInputStream(bytes), "any", 7, "after", List.of("x"))) {
      see("typed", in.readObject());
      see("list", in.readObject());
      see("array", in.readObject());
      attempt("array of strings", in::readObject);
    }
    ObjectInputStream wrong = new Reversing(new ByteArrayInputStream(bytes), "text", 7);
    attempt("wrong type", wrong::readObject);
    ObjectInputStream throwing =
        new Reversing(new ByteArrayInputStream(bytes), "text", new InvalidClassException("no"));
    attempt("throwing", throwing::readObject);
  }

  /** Describes an enum as a class, and a class as an enum. */
  static class SwappedDescriptions extends ObjectOutputStream {
    SwappedDescriptions(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void writeClassDescriptor(ObjectStreamClass description) throws IOException {
      Class<?> other =
          description.forClass() == RoundingMode.class ? Integer.class : RoundingMode.class;
      super.writeClassDescriptor(ObjectStreamClass.lookup(other));
    }
  }

  private static Object readInvalid(byte[] bytes) throws Exception {
    try {
      return Wire.read(bytes);
    } catch (InvalidClassException e) {
      return "an invalid class";
    }
  }

  @Test
  public void whatIsAnEnumAndWhatIsNoneIsNotMistaken() throws Exception {
    for (Object written : new Object[] {RoundingMode.UP, 5}) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new SwappedDescriptions(bytes)) {
        out.writeObject(written);
      }
      attempt(written + " described as something else", () -> readInvalid(bytes.toByteArray()));
    }
  }

  /** Swaps the names of two classes by their descriptions. */
  static class ShortDescriptions extends ObjectOutputStream {
    ShortDescriptions(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void writeClassDescriptor(ObjectStreamClass description) throws IOException {
      event("writeClassDescriptor " + description.getName());
      writeUTF(description.getName());
    }
  }

  static class ShortDescriptionsInput extends ObjectInputStream {
    ShortDescriptionsInput(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
      String name = readUTF();
      event("readClassDescriptor " + name);
      if (name.equals("java.lang.Byte")) {
        throw new ClassNotFoundException("no bytes");
      }
      return ObjectStreamClass.lookup(Class.forName(name, false, getClass().getClassLoader()));
    }
  }

  @Test
  public void descriptionsOfTheStreamsOwn() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ShortDescriptions(bytes)) {
      out.writeObject(new Child());
      out.writeObject(new Object[] {new Parent(), RoundingMode.UP, 5, new int[0]});
      out.writeObject(new ArrayList<>(List.of("x")));
      out.writeObject((byte) 1);
    }
    try (ObjectInputStream in =
        new ShortDescriptionsInput(new ByteArrayInputStream(bytes.toByteArray()))) {
      see("child", in.readObject());
      see("array", in.readObject());
      see("list", in.readObject());
      attempt("byte", in::readObject);
    }
  }

  static class DefaultDescriptions extends ObjectInputStream {
    DefaultDescriptions(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
      ObjectStreamClass description = super.readClassDescriptor();
      event(
          "description " + description.getName() + " " + Arrays.toString(description.getFields()));
      see("class is not known yet", description.forClass());
      return description;
    }
  }

  @Test
  public void descriptionsByTheDefault() throws Exception {
    byte[] bytes = Wire.write(new Child(), RoundingMode.DOWN, new Child[1], 5);
    try (ObjectInputStream in = new DefaultDescriptions(new ByteArrayInputStream(bytes))) {
      for (int i = 0; i < 4; i++) {
        see("read", in.readObject());
      }
    }
  }

  @Test
  public void nullDescriptionIsRefused() throws Exception {
    byte[] bytes = Wire.write(new Parent());
    ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes)) {
          @Override
          protected ObjectStreamClass readClassDescriptor() {
            return null;
          }
        };
    Observed.attemptTypeTo("null", in::readObject);
  }

  @Test
  public void resolveClassMayAnswerAnotherClass() throws Exception {
    for (Object object : new Object[] {new Parent(), new NoHandlerHere(), 5}) {
      byte[] bytes = Wire.write(object);
      ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes)) {
            @Override
            protected Class<?> resolveClass(ObjectStreamClass description)
                throws ClassNotFoundException {
              if (description.getName().endsWith("Parent")) {
                return String.class;
              }
              if (description.getName().endsWith("Integer")) {
                return null;
              }
              throw new ClassNotFoundException(description.getName() + " refused");
            }
          };
      attempt("read", in::readObject);
    }
  }

  static class NoHandlerHere implements Serializable {}

  static class Annotated implements Serializable {}

  /** Looks at the annotation of each class, and refuses one. */
  static class RefusingInput extends ObjectInputStream {
    RefusingInput(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass type)
        throws IOException, ClassNotFoundException {
      see("annotated", available() > 0);
      if (type.getName().endsWith("$Annotated")) {
        throw new IOException("refused");
      }
      return super.resolveClass(type);
    }
  }

  @Test
  public void refusalOfAnAnnotatedClassIsWhatTheCallerSees() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new NotingOutput(bytes)) {
      out.writeObject(new Object[] {new Annotated()});
    }
    ObjectInputStream in = new RefusingInput(new ByteArrayInputStream(bytes.toByteArray()));
    attempt("object", in::readObject);
  }

  @Test
  public void whatHasBeenReplacedStaysReplacedWhenTheStreamReplacesNoMore() throws Exception {
    Parent replaced = new Parent();
    Parent other = new Parent();
    Object[] graph = {
      replaced, new Switch(false), replaced, other, new Switch(true), other, replaced, "x"
    };
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Exchanging out = new Exchanging(bytes, replaced, "in its place")) {
      for (int i = 0; i < 3; i++) {
        out.writeObject(graph);
        out.writeObject(new Object[] {replaced, other});
        out.reset();
        out.writeObject(new Object[] {new Switch(i == 1), replaced, new Replacing(), replaced});
        out.reset();
      }
    }
    see("read", Wire.read(bytes.toByteArray(), 9));
  }
}
