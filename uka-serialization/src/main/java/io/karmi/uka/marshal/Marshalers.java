package io.karmi.uka.marshal;

import io.karmi.uka.format.Token;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.ObjectStreamClass;

/** The choice of a {@link Marshaler}, and those that a few lines suffice for. */
final class Marshalers {
  private Marshalers() {}

  static Marshaler choose(LocalClass type) {
    if (type.type == String.class) {
      return new Text(type);
    }
    if (type.type == Class.class) {
      return new OfClass(type);
    }
    if (type.type == ObjectStreamClass.class) {
      return new Descriptor(type);
    }
    if (type.isArray) {
      Class<?> element = type.type.getComponentType();
      return element.isPrimitive()
          ? new PrimitiveArray(type, element.descriptorString().charAt(0))
          : new ReferenceArray(type);
    }
    if (type.isEnum) {
      return new Constant(type);
    }
    return type.isSerializable ? ObjectMarshaler.choose(type) : new Refusal(type);
  }

  private static final class Text extends Marshaler {
    Text(LocalClass type) {
      super(type);
    }

    @Override
    void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
      out.writeString((String) object, unshared);
    }

    @Override
    boolean isDirect() {
      return true;
    }

    @Override
    boolean hasType() {
      return false;
    }

    @Override
    void writeKnown(ObjectWriter out, Object object, KnownClasses.Known known) throws IOException {
      out.format().writeString((String) object);
    }
  }

  private static final class OfClass extends Marshaler {
    OfClass(LocalClass type) {
      super(type);
    }

    @Override
    boolean isClassOrDescriptor() {
      return true;
    }

    @Override
    void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
      out.open(Token.CLASS, LocalClass.of((Class<?>) object), object, unshared);
    }
  }

  private static final class Descriptor extends Marshaler {
    Descriptor(LocalClass type) {
      super(type);
    }

    @Override
    boolean isClassOrDescriptor() {
      return true;
    }

    @Override
    void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
      out.writeDescriptor((ObjectStreamClass) object, unshared);
    }
  }

  private static final class PrimitiveArray extends Marshaler {
    private final char code;

    PrimitiveArray(LocalClass type, char code) {
      super(type);
      this.code = code;
    }

    @Override
    void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
      out.open(Token.ARRAY, type, object, unshared);
      out.format().writeArray(object, code);
    }

    @Override
    boolean isDirect() {
      return true;
    }

    @Override
    int token() {
      return Token.ARRAY;
    }

    @Override
    void writeKnown(ObjectWriter out, Object object, KnownClasses.Known known) throws IOException {
      known.writeOpening(out.buffer);
      out.format().writeArray(object, code);
    }
  }

  private static final class ReferenceArray extends Marshaler {
    ReferenceArray(LocalClass type) {
      super(type);
    }

    @Override
    boolean isPlain() {
      return true;
    }

    @Override
    DeepWriter.Half begin(ObjectWriter out, Object object, boolean unshared) throws IOException {
      out.open(Token.ARRAY, type, object, unshared);
      Object[] elements = (Object[]) object;
      out.format().writeLength(elements.length);
      return new DeepWriter.Half(elements);
    }

    @Override
    void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
      out.open(Token.ARRAY, type, object, unshared);
      writeContent(out, (Object[]) object);
    }

    private static void writeContent(ObjectWriter out, Object[] elements) throws IOException {
      out.format().writeLength(elements.length);
      out.writeReferences(elements);
    }

    @Override
    boolean isDirect() {
      return true;
    }

    @Override
    int token() {
      return Token.ARRAY;
    }

    @Override
    void writeKnown(ObjectWriter out, Object object, KnownClasses.Known known) throws IOException {
      known.writeOpening(out.buffer);
      writeContent(out, (Object[]) object);
    }
  }

  private static final class Constant extends Marshaler {
    private final LocalClass declaring;

    Constant(LocalClass type) {
      super(type);
      LocalClass above = type.superclass;
      /* A constant with a body has a class of its own. */
      declaring = above != null && above.type != Enum.class ? above : type;
    }

    @Override
    void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
      out.open(Token.ENUM, declaring, object, unshared);
      out.writeConstant(declaring, (Enum<?>) object);
    }

    @Override
    boolean isDirect() {
      return declaring == type;
    }

    @Override
    int token() {
      return Token.ENUM;
    }

    @Override
    void writeKnown(ObjectWriter out, Object object, KnownClasses.Known known) throws IOException {
      known.writeOpening(out.buffer);
      if (out.format().numbersConstants()) {
        out.writeConstant(known, (Enum<?>) object);
      } else {
        out.writeConstant(declaring, (Enum<?>) object);
      }
    }
  }

  private static final class Refusal extends Marshaler {
    Refusal(LocalClass type) {
      super(type);
    }

    @Override
    void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
      throw FailurePath.refuse(type.name, out.path());
    }
  }
}
