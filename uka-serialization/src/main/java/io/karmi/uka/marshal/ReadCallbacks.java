package io.karmi.uka.marshal;

import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.Token;
import io.karmi.uka.handle.ReadHandleTable;
import java.io.Externalizable;
import java.io.IOException;
import java.io.NotActiveException;
import java.io.ObjectInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a program's classes that take part in reading, and what they may call: {@code
 * readObject} and {@code readExternal}, {@code defaultReadObject} and {@code readFields}.
 *
 * <p>While such a method runs, the stream is in block mode. What it leaves unread is skipped.
 */
public final class ReadCallbacks {
  private final ObjectReader reader;
  private final BlockReader blocks;
  private final FormatReader format;
  private final ReadHandleTable handles;
  private CallbackContext<Level> context;

  /**
   * Whether the fields of a class without a {@code writeObject} method have been read, so that
   * nothing follows.
   */
  private boolean dataEnded;

  /** Whether the method that runs is none of the program's, so that its frames do not count. */
  private boolean foreign;

  ReadCallbacks(ObjectReader reader, ReadHandleTable handles) {
    this.reader = reader;
    this.handles = handles;
    blocks = reader.blocks();
    format = reader.format();
  }

  boolean isDataEnded() {
    return dataEnded;
  }

  /** Forgets a method that was interrupted. */
  void clear() {
    context = null;
    dataEnded = false;
    foreign = false;
  }

  /** Whether the method that runs is none of the program's. */
  boolean isForeign() {
    return foreign;
  }

  /**
   * Such a method calls the stream.
   *
   * @return the loader of the program's code that has been found before that call, and counts again
   *     after it
   */
  @Nullable ClassLoader enter() {
    ClassLoader outer = reader.types().caller();
    if (!foreign || ClassFinder.isUserCode(reader.hooks.stream().getClass())) {
      reader.types().setCaller(null);
    }
    return outer;
  }

  /** Runs the {@code readObject} method that one class of the object's hierarchy declares. */
  void readCustom(Object object, Level level) throws IOException {
    CallbackContext<Level> outer = context;
    if (outer != null) {
      outer.checkThread();
    }
    int handle = reader.currentHandle();
    boolean outerForeign = foreign;
    try {
      foreign = !ClassFinder.isUserCode(level.local.type);
      context = new CallbackContext<>(object, level);
      blocks.setBlockMode(true);
      level.local.hooks().readObject(object, reader.hooks.stream());
    } catch (ClassNotFoundException e) {
      handles.mark(handle, e);
    } finally {
      foreign = outerForeign;
      context.end();
      if (outer != null) {
        outer.checkThread();
      }
      context = outer;
    }
    dataEnded = false;
  }

  /** Runs {@code readExternal} and skips what it leaves. */
  void readExternal(Externalizable object, boolean inBlocks) throws IOException {
    CallbackContext<Level> outer = context;
    if (outer != null) {
      outer.checkThread();
    }
    context = null;
    int handle = reader.currentHandle();
    boolean outerForeign = foreign;
    try {
      if (inBlocks) {
        blocks.setBlockMode(true);
      }
      if (object != null) {
        foreign = !ClassFinder.isUserCode(object.getClass());
        try {
          object.readExternal(reader.hooks.stream());
        } catch (ClassNotFoundException e) {
          handles.mark(handle, e);
        }
        foreign = outerForeign;
      }
      if (inBlocks) {
        skipCustomData();
      }
    } finally {
      foreign = outerForeign;
      if (outer != null) {
        outer.checkThread();
      }
      context = outer;
    }
  }

  /** Ends the data of one class: skips what its sender wrote beyond what has been read. */
  void endLevel(Level level) throws IOException {
    if (level.hasCustomData()) {
      skipCustomData();
    } else {
      blocks.setBlockMode(false);
    }
  }

  /** Skips what a program's method wrote and nobody has read. */
  void skipCustomData() throws IOException {
    int outerHandle = reader.currentHandle();
    for (; ; ) {
      if (blocks.isBlockMode()) {
        blocks.skipBlocks();
        blocks.setBlockMode(false);
      }
      int token = format.peek();
      if (token == Token.BLOCK) {
        blocks.setBlockMode(true);
      } else if (token == Token.END_OF_BLOCKS) {
        format.skipToken();
        reader.setCurrentHandle(outerHandle);
        return;
      } else {
        reader.read(false);
      }
    }
  }

  /** {@link ObjectInputStream#defaultReadObject}. */
  public void defaultReadObject() throws IOException, ClassNotFoundException {
    if (context == null) {
      throw new NotActiveException("not in call to readObject");
    }
    Object object = context.take();
    if (context.level().isDirect()) {
      blocks.setBlockMode(false);
      readDirectly(object);
    } else {
      FieldValues values = readFieldValues(true);
      values.check(object);
      values.set(object);
    }
    endFields();
    ClassNotFoundException failure = handles.failure(reader.currentHandle());
    if (failure != null) {
      throw failure;
    }
  }

  /** {@link ObjectInputStream#readFields}. */
  public ObjectInputStream.GetField readFields() throws IOException {
    if (context == null) {
      throw new NotActiveException("not in call to readObject");
    }
    context.use();
    FieldValues values = readFieldValues(false);
    endFields();
    return values;
  }

  private FieldValues readFieldValues(boolean dependent) throws IOException {
    blocks.setBlockMode(false);
    ClassLoader outer = enter();
    try {
      return new FieldValues(reader, context.level(), dependent);
    } finally {
      reader.types().setCaller(outer);
    }
  }

  private void readDirectly(Object object) throws IOException {
    ClassLoader outer = enter();
    try {
      reader.readDefaultFields(object, context.level());
    } finally {
      reader.types().setCaller(outer);
    }
  }

  private void endFields() {
    blocks.setBlockMode(true);
    dataEnded = !context.level().hasCustomData();
  }
}
