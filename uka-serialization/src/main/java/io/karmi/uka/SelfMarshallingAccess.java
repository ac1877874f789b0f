package io.karmi.uka;

import io.karmi.uka.codegen.AwareAccess;
import io.karmi.uka.codegen.SerializedFields;
import io.karmi.uka.engine.Sneaky;
import io.karmi.uka.field.FieldSink;
import io.karmi.uka.field.FieldSource;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.field.Woven;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Access to objects of a class with marshalers of its own, without generated code; {@link
 * AwareAccess} generates the same.
 */
abstract class SelfMarshallingAccess extends ObjectAccess {
  final MethodHandle constructor;

  private SelfMarshallingAccess(MethodHandle constructor) {
    this.constructor = constructor;
  }

  /** As {@link AwareAccess#of}. */
  static ObjectAccess of(MethodHandle constructor) {
    return new ByHand(constructor);
  }

  /** As {@link AwareAccess#ofWoven}. */
  static ObjectAccess ofWoven(Class<?> type, MethodHandle constructor) {
    int leafBytes =
        SerializedFields.refer(type) ? WovenClass.REFERS : SerializedFields.primitiveBytes(type);
    return new WovenClass(constructor, leafBytes);
  }

  private static final class ByHand extends SelfMarshallingAccess {
    ByHand(MethodHandle constructor) {
      super(constructor);
    }

    @Override
    public void write(FieldSink sink, Object object, long opening, int openingBytes)
        throws IOException {
      sink.buffer.writeLow(opening, openingBytes);
      ((UkaAware) object).marshal((UkaObjectOutputStream) sink.stream);
    }

    @Override
    public @Nullable Object readNew(FieldSource source) throws IOException {
      int handle = source.nextHandle();
      try {
        Object made = (Object) constructor.invokeExact((UkaObjectInputStream) source.stream);
        source.endSelfMade(handle, made);
        return made;
      } catch (ClassNotFoundException e) {
        source.lose(handle, e);
        return null;
      } catch (Throwable e) {
        throw Sneaky.<RuntimeException>sneak(e);
      }
    }
  }

  private static final class WovenClass extends SelfMarshallingAccess {
    static final int REFERS = -1;

    /** Size of an object without references, in bytes. */
    private final int leafBytes;

    WovenClass(MethodHandle constructor, int leafBytes) {
      super(constructor);
      this.leafBytes = leafBytes;
    }

    @Override
    public void write(FieldSink sink, Object object, long opening, int openingBytes)
        throws IOException {
      ((Woven) object).marshal(sink, opening, openingBytes);
    }

    @Override
    public Object readNew(FieldSource source) throws IOException {
      int handle = source.nextHandle();
      if (leafBytes != REFERS) {
        source.buffer.require(leafBytes);
      }
      Object made;
      try {
        made = (Object) constructor.invokeExact(source, handle);
      } catch (Throwable e) {
        throw Sneaky.<RuntimeException>sneak(e);
      }
      if (leafBytes == REFERS) {
        source.end(handle);
      } else {
        source.addLeaf(made);
      }
      return made;
    }
  }
}
