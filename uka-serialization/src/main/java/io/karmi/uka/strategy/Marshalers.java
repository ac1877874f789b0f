package io.karmi.uka.strategy;

import io.karmi.uka.engine.write.DeepWriter;
import io.karmi.uka.engine.write.HalfWritten;
import io.karmi.uka.engine.write.KnownClasses;
import io.karmi.uka.engine.write.Marshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.field.ContentHash;
import io.karmi.uka.format.Token;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.ObjectStreamClass;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Marshalers of strings, arrays, enum constants, classes and descriptors. */
public final class Marshalers {
  private Marshalers() {}

  /** The marshaler of a class; null if its objects are ordinary ones. */
  public static @Nullable Marshaler of(LocalClass type) {
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
    boolean written = type.isSerializable && !type.hooks().replacesItself();
    return written ? null : new Refusal(type);
  }

  private static final class Text extends Marshaler {
    public Text(LocalClass type) {
      super(type);
    }

    @Override
    public void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
      out.writeString((String) object, unshared);
    }

    @Override
    public boolean isDirect() {
      return true;
    }

    @Override
    public boolean hasType() {
      return false;
    }

    @Override
    public void writeKnown(ObjectWriter out, Object object, KnownClasses.Known known)
        throws IOException {
      out.format().writeString((String) object);
    }
  }

  private static final class OfClass extends Marshaler {
    public OfClass(LocalClass type) {
      super(type);
    }

    @Override
    public boolean isClassOrDescriptor() {
      return true;
    }

    @Override
    public void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
      out.open(Token.CLASS, LocalClass.of((Class<?>) object), object, unshared);
    }
  }

  private static final class Descriptor extends Marshaler {
    public Descriptor(LocalClass type) {
      super(type);
    }

    @Override
    public boolean isClassOrDescriptor() {
      return true;
    }

    @Override
    public void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
      out.writeDescriptor((ObjectStreamClass) object, unshared);
    }
  }

  private static final class PrimitiveArray extends Marshaler {
    private final char code;
    private final ArrayContent content;

    public PrimitiveArray(LocalClass type, char code) {
      super(type);
      this.code = code;
      content = new ArrayContent(code);
    }

    @Override
    public ContentHash content(ByteOrder order) {
      return content;
    }

    @Override
    public void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
      out.open(Token.ARRAY, type, object, unshared);
      out.format().writeArray(object, code);
    }

    @Override
    public boolean isDirect() {
      return true;
    }

    @Override
    public int token() {
      return Token.ARRAY;
    }

    @Override
    public void writeKnown(ObjectWriter out, Object object, KnownClasses.Known known)
        throws IOException {
      known.writeOpening(out.buffer);
      out.format().writeArray(object, code);
    }
  }

  private static final class ReferenceArray extends Marshaler {
    public ReferenceArray(LocalClass type) {
      super(type);
    }

    @Override
    public HalfWritten begin(ObjectWriter out, Object object, boolean unshared) throws IOException {
      out.open(Token.ARRAY, type, object, unshared);
      Object[] elements = (Object[]) object;
      out.format().writeLength(elements.length);
      return new HalfWritten(elements);
    }

    @Override
    public void writeDeep(ObjectWriter out, Object object, boolean unshared) throws IOException {
      DeepWriter.write(out, this, object, unshared);
    }

    @Override
    public void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
      out.open(Token.ARRAY, type, object, unshared);
      writeContent(out, (Object[]) object);
    }

    private static void writeContent(ObjectWriter out, Object[] elements) throws IOException {
      out.format().writeLength(elements.length);
      out.writeReferences(elements);
    }

    @Override
    public boolean isDirect() {
      return true;
    }

    @Override
    public int token() {
      return Token.ARRAY;
    }

    @Override
    public void writeKnown(ObjectWriter out, Object object, KnownClasses.Known known)
        throws IOException {
      known.writeOpening(out.buffer);
      writeContent(out, (Object[]) object);
    }
  }

  private static final class Constant extends Marshaler {
    private final LocalClass declaring;

    public Constant(LocalClass type) {
      super(type);
      LocalClass above = type.superclass;
      /* A constant with a body has a class of its own. */
      declaring = above != null && above.type != Enum.class ? above : type;
    }

    @Override
    public void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
      out.open(Token.ENUM, declaring, object, unshared);
      out.writeConstant(declaring, (Enum<?>) object);
    }

    @Override
    public boolean isDirect() {
      return declaring == type;
    }

    @Override
    public int token() {
      return Token.ENUM;
    }

    @Override
    public void writeKnown(ObjectWriter out, Object object, KnownClasses.Known known)
        throws IOException {
      known.writeOpening(out.buffer);
      if (out.format().numbersConstants()) {
        out.writeConstant(known, (Enum<?>) object);
      } else {
        out.writeConstant(declaring, (Enum<?>) object);
      }
    }
  }

  private static final class Refusal extends Marshaler {
    public Refusal(LocalClass type) {
      super(type);
    }

    @Override
    public void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
      throw out.path().refuse(type.name);
    }
  }
}
