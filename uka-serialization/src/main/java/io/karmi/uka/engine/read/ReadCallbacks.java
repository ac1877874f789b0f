package io.karmi.uka.engine.read;

import io.karmi.uka.engine.CallbackContext;
import io.karmi.uka.engine.CallbackContexts;
import io.karmi.uka.engine.read.cost.MethodCost;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.Token;
import io.karmi.uka.handle.ReadHandleTable;
import io.karmi.uka.type.ClassHooks;
import io.karmi.uka.type.LocalClass;
import java.io.EOFException;
import java.io.Externalizable;
import java.io.IOException;
import java.io.NotActiveException;
import java.io.ObjectInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the methods of classes that take part in reading ({@code readObject}, {@code
 * readExternal}), and what these may call ({@code defaultReadObject}, {@code readFields}).
 *
 * <p>While such a method runs, the stream is in block mode. Data that it leaves unread is skipped.
 */
public final class ReadCallbacks {
  /**
   * What does the same as the {@code readObject} method of a class, without a call of the stream
   * for each value. Its frame stands for the method's in the search for the caller's loader.
   */
  public interface Substitute {
    /** Reads what the method would read. */
    void readObject(ReadContext in, Object object) throws IOException, ClassNotFoundException;
  }

  private final ReadContext reader;
  private final BlockReader blocks;
  private final FormatReader format;
  private final ReadHandleTable handles;
  private final ObjectInputStream stream;
  private final CallbackContexts<ClassLevel> contexts = new CallbackContexts<>();

  /** Counts for the running method, if it is the platform's; null if it is user code or none. */
  private @Nullable MethodCost running;

  /** Whether user code has run in this message. */
  private boolean userCode;

  public ReadCallbacks(ReadContext reader, BlockReader blocks) {
    this.reader = reader;
    handles = reader.handles();
    this.blocks = blocks;
    format = reader.format();
    stream = reader.hooks.stream();
  }

  /** Forgets interrupted calls. */
  public void clear() {
    contexts.clear();
    blocks.setDataEnded(false);
    setRunning(null);
  }

  /** Stores changes only: a store into an old object costs a memory fence. */
  private void setRunning(@Nullable MethodCost method) {
    if (running != method) {
      running = method;
    }
  }

  /**
   * Told what {@code ObjectInputStream.readInt} has read; returns it.
   *
   * @throws EOFException if it is a length for which a class of the JDK would allocate, and the
   *     message ends before as many values
   */
  public int passInt(int value) throws IOException {
    if (running != null && running.isLength()) {
      admit(value);
    }
    return value;
  }

  /** Refuses a length that is not granted, unless the filter refuses it first. */
  private void admit(int length) throws IOException {
    if (!reader.claims().grants(length)) {
      reader.check(Object[].class, length);
      throw new EOFException(length + " elements are said to follow, and do not");
    }
  }

  /** Begins a message. */
  public void begin() {
    userCode = false;
  }

  /** Whether user code has run in this message, and may have recurred. */
  public boolean hasRunUserCode() {
    return userCode;
  }

  /** Whether the running method is no user code. */
  public boolean isForeign() {
    return running != null;
  }

  /**
   * Counts a value for the budget of steps, if the running method is the JDK's and may hash it or
   * compare it.
   *
   * @throws IOException if that would take too many steps
   */
  public void add(@Nullable Object value) throws IOException {
    if (running != null) {
      running.add(value);
    }
  }

  /** As {@link #add}, of a string or box. */
  public void addLeaf(Object value) throws IOException {
    if (running != null) {
      running.addLeaf(value);
    }
  }

  /**
   * Enters the stream from such a method.
   *
   * @return the loader found before, which is to be restored at the end
   */
  public @Nullable ClassLoader enter() {
    ClassLoader outer = reader.caller();
    if (running == null || ClassFinder.isUserCode(stream.getClass())) {
      reader.setCaller(null);
    }
    return outer;
  }

  /** Runs the {@code readObject} method of one class of the object's hierarchy. */
  public void readCustom(Object object, ClassLevel level, ClassHooks hooks) throws IOException {
    readCustom(object, level, hooks, null);
  }

  /** As {@link #readCustom}, by what does the same as the method. */
  public void readInstead(Object object, ClassLevel level, Substitute substitute)
      throws IOException {
    readCustom(object, level, null, substitute);
  }

  private void readCustom(
      Object object, ClassLevel level, @Nullable ClassHooks hooks, @Nullable Substitute substitute)
      throws IOException {
    checkThread();
    int handle = reader.currentHandle();
    boolean ofUser = level.isUserCode();
    MethodCost outerMethod = running;
    long open = reader.claims().open;
    long unproven = reader.claims().unproven;
    int outer = contexts.begin(object, level);
    try {
      begin(object, level, ofUser);
      blocks.setBlockMode(true);
      if (substitute != null) {
        runSubstitute(substitute, object);
      } else if (hooks != null) {
        hooks.readObject(object, stream);
      }
      if (running != null) {
        running.end();
      }
    } catch (ClassNotFoundException e) {
      handles.mark(handle, e);
    } catch (StackOverflowError e) {
      if (ofUser) {
        throw e;
      }
      throw VmErrors.endless(object.getClass(), e);
    } catch (InternalError | OutOfMemoryError e) {
      if (ofUser) {
        throw e;
      }
      throw VmErrors.refused(object.getClass(), e);
    } finally {
      setRunning(outerMethod);
      reader.claims().restore(open, unproven);
      contexts.end(outer);
      checkThread();
    }
    blocks.setDataEnded(false);
  }

  private void runSubstitute(Substitute substitute, Object object)
      throws IOException, ClassNotFoundException {
    ClassLoader outer = enter();
    try {
      substitute.readObject(reader, object);
    } finally {
      reader.setCaller(outer);
    }
  }

  /** Begins a method, of {@code declaring} if it is {@code readObject}. */
  private void begin(Object object, @Nullable ClassLevel declaring, boolean ofUser) {
    if (ofUser) {
      userCode = true;
      setRunning(null);
    } else {
      LocalClass local = declaring == null ? null : declaring.local;
      running =
          new MethodCost(
              object,
              local == null ? null : local.type,
              declaring != null && declaring.ordersElements(),
              reader.hashCost(),
              reader.comparatorCost,
              reader.contentCost());
    }
  }

  /** Refuses a method that goes on in another thread. */
  private void checkThread() throws NotActiveException {
    CallbackContext<ClassLevel> context = contexts.active();
    if (context != null) {
      context.checkThread();
    }
  }

  /**
   * Runs {@code readExternal} and skips what it leaves.
   *
   * @param ofUser whether the object's class is user code
   */
  public void readExternal(@Nullable Externalizable object, boolean inBlocks, boolean ofUser)
      throws IOException {
    checkThread();
    int outer = contexts.beginWithout();
    int handle = reader.currentHandle();
    MethodCost outerMethod = running;
    try {
      if (inBlocks) {
        blocks.setBlockMode(true);
      }
      if (object != null) {
        begin(object, null, ofUser);
        try {
          object.readExternal(stream);
        } catch (ClassNotFoundException e) {
          handles.mark(handle, e);
        } catch (StackOverflowError | InternalError | OutOfMemoryError e) {
          if (ofUser) {
            throw e;
          }
          throw VmErrors.refused(object.getClass(), e);
        }
        setRunning(outerMethod);
      }
      if (inBlocks) {
        skipCustomData();
      }
    } finally {
      setRunning(outerMethod);
      contexts.end(outer);
      checkThread();
    }
  }

  /**
   * Begins a call of a program's method for which the stream has no data: it reads an end.
   *
   * @return the argument for {@link #endWithoutData}
   */
  public boolean beginWithoutData() {
    boolean outer = blocks.isDataEnded();
    blocks.setBlockMode(true);
    blocks.setDataEnded(true);
    return outer;
  }

  /** Ends that call. */
  public void endWithoutData(boolean outer) {
    blocks.setDataEnded(outer);
    blocks.setBlockMode(false);
  }

  /** Ends the data of one class, and skips what has not been read. */
  public void endLevel(ClassLevel level) throws IOException {
    if (level.hasCustomData()) {
      skipCustomData();
    } else {
      blocks.setBlockMode(false);
    }
  }

  /** Skips data of a {@code writeObject} method that has not been read. */
  public void skipCustomData() throws IOException {
    if (blocks.isBetweenBlocks() && format.takeEnd()) {
      blocks.setBlockMode(false);
      return;
    }
    skipRest();
  }

  private void skipRest() throws IOException {
    int outerHandle = reader.currentHandle();
    for (; ; ) {
      if (blocks.isBlockMode()) {
        blocks.skipBlocks();
        blocks.setBlockMode(false);
      }
      int token = format.peek();
      if (token == Token.BLOCK) {
        /* It may still seem ended, where a method has gone on behind an object that failed. */
        blocks.setDataEnded(false);
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
    CallbackContext<ClassLevel> context = active();
    Object object = context.take();
    ClassLevel level = context.level();
    MethodCost method = running;
    MethodCost ofTag = level.keepsTag() && reader.hashCost().isBounded() ? method : null;
    if (level.isDirect() && ofTag == null) {
      blocks.setBlockMode(false);
      readDirectly(object, level);
    } else {
      FieldValues values = readFieldValues(level, true);
      values.check(object);
      if (level.keepsSize()) {
        admit(values.get("size", 0));
      }
      if (ofTag != null) {
        ofTag.setTag(values.get("tag", 0));
      }
      if (level.namesBundle() && values.get("resourceBundleName", null) instanceof String name) {
        reader.buffer().remember(name);
      }
      values.set(object);
    }
    if (method != null) {
      method.addFields();
      method.setComparator(level.comparatorOf(object));
    }
    endFields(level);
    ClassNotFoundException failure = handles.failure(reader.currentHandle());
    if (failure != null) {
      throw failure;
    }
  }

  /** {@link ObjectInputStream#readFields}. */
  public ObjectInputStream.GetField readFields() throws IOException {
    CallbackContext<ClassLevel> context = active();
    context.take();
    ClassLevel level = context.level();
    FieldValues values = readFieldValues(level, false);
    if (running != null) {
      values.addTo(running);
    }
    endFields(level);
    return values;
  }

  private CallbackContext<ClassLevel> active() throws NotActiveException {
    CallbackContext<ClassLevel> context = contexts.active();
    if (context == null) {
      throw new NotActiveException("not in call to readObject");
    }
    return context;
  }

  private FieldValues readFieldValues(ClassLevel level, boolean dependent) throws IOException {
    blocks.setBlockMode(false);
    int handle = reader.currentHandle();
    int depth = reader.depth();
    ClassLoader outer = enter();
    try {
      return new FieldValues(reader, level, dependent);
    } finally {
      endDefaultFields(outer, handle, depth);
    }
  }

  private void readDirectly(Object object, ClassLevel level) throws IOException {
    int handle = reader.currentHandle();
    int depth = reader.depth();
    ClassLoader outer = enter();
    try {
      reader.readDefaultFields(object, level);
    } finally {
      endDefaultFields(outer, handle, depth);
    }
  }

  /** Ends them, complete or not: a method may go on after a failure, outside blocks. */
  private void endDefaultFields(@Nullable ClassLoader outer, int handle, int depth) {
    reader.setCaller(outer);
    reader.setCurrentHandle(handle);
    reader.depth = depth;
    blocks.setBlockMode(false);
  }

  private void endFields(ClassLevel level) {
    blocks.setBlockMode(true);
    blocks.setDataEnded(!level.hasCustomData());
  }
}
