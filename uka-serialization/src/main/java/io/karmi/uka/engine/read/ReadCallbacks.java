package io.karmi.uka.engine.read;

import io.karmi.uka.engine.CallbackContext;
import io.karmi.uka.engine.CallbackContexts;
import io.karmi.uka.engine.read.cost.ComparatorCost;
import io.karmi.uka.engine.read.cost.HashCost;
import io.karmi.uka.engine.read.cost.KeyCollisions;
import io.karmi.uka.engine.read.cost.LaterTable;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.Token;
import io.karmi.uka.handle.ReadHandleTable;
import io.karmi.uka.type.ClassHooks;
import io.karmi.uka.type.LocalClass;
import java.io.EOFException;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.NotActiveException;
import java.io.ObjectInputStream;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the methods of classes that take part in reading ({@code readObject}, {@code
 * readExternal}), and what these may call ({@code defaultReadObject}, {@code readFields}).
 *
 * <p>While such a method runs, the stream is in block mode. Data that it leaves unread is skipped.
 */
public final class ReadCallbacks {
  /**
   * Classes of the JDK whose {@code readObject} allocates by a length from the stream, with the
   * number of {@code readInt} calls before that length.
   */
  private static final Map<String, Integer> LENGTHS =
      Map.of(
          "java.util.ArrayDeque", 0,
          "java.util.CollSer", 0,
          "java.util.IdentityHashMap", 0,
          "java.util.concurrent.CopyOnWriteArrayList", 0,
          "java.util.HashMap", 1,
          "java.util.HashSet", 1,
          "java.util.Hashtable", 1);

  private static final int NO_LENGTH = -1;

  /** Classes whose {@code readObject} compares keys of one hash, and whether they order keys. */
  private static final Map<Class<?>, Boolean> TABLES =
      Map.of(
          HashMap.class, true,
          HashSet.class, true,
          ConcurrentHashMap.class, true,
          Hashtable.class, false);

  private final ReadContext reader;
  private final BlockReader blocks;
  private final FormatReader format;
  private final ReadHandleTable handles;
  private final CallbackContexts<ClassLevel> contexts = new CallbackContexts<>();

  /** Whether the fields of a class without {@code writeObject} have been read: no data follows. */
  private boolean dataEnded;

  /** Whether the running method is no user code. */
  private boolean foreign;

  /** Whether the running method is the JDK's and may hash what it reads. */
  private boolean hashing;

  /** The object whose method is running, if its hash may be made of what the method reads. */
  private @Nullable Object composite;

  /** How values count that are read next, if the running method may compare them. */
  private ComparatorCost.@Nullable Ordering ordering;

  /** Counts what the running method reads, if it is that of a hash table. */
  private @Nullable KeyCollisions keys;

  /** What the running method reads, if a table is made of it at the end. */
  private @Nullable LaterTable later;

  /** Calls of {@code readInt} before a length; {@link #NO_LENGTH} if none comes. */
  private int intsToLength = NO_LENGTH;

  /** Whether user code has run in this message. */
  private boolean userCode;

  public ReadCallbacks(ReadContext reader, BlockReader blocks) {
    this.reader = reader;
    handles = reader.handles();
    this.blocks = blocks;
    format = reader.format();
  }

  public boolean isDataEnded() {
    return dataEnded;
  }

  /** Forgets interrupted calls. */
  public void clear() {
    contexts.clear();
    dataEnded = false;
    foreign = false;
    hashing = false;
    composite = null;
    ordering = null;
    keys = null;
    later = null;
    intsToLength = NO_LENGTH;
  }

  /**
   * {@code ObjectInputStream.readInt}.
   *
   * @throws EOFException if it is a length for which a class of the JDK would allocate, and the
   *     message ends before as many values
   */
  public int readInt() throws IOException {
    int value = blocks.readInt();
    if (intsToLength != NO_LENGTH && intsToLength-- == 0) {
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
    return foreign;
  }

  /**
   * Counts a value for the budget of steps, if the running method is the JDK's and may hash it or
   * compare it.
   *
   * @throws InvalidObjectException if that would take too many steps
   */
  public void add(@Nullable Object value) throws InvalidObjectException {
    addLeaf(value);
    if (hashing) {
      if (ordering == null && value instanceof Comparator && isOfSortedSet()) {
        ordering = reader.comparatorCost.ordering(value);
      }
      reader.hashCost().add(value);
    }
    if (composite != null) {
      reader.hashCost().addPart(composite, value);
    }
  }

  /** As {@link #add}, of a string or box. */
  public void addLeaf(@Nullable Object value) throws InvalidObjectException {
    if (ordering != null) {
      ordering.addElement();
    }
    if (keys != null) {
      keys.addNext(value);
    }
    if (later != null) {
      later.add(value);
    }
  }

  /** Whether the running method reads the comparator as a value before the elements. */
  private boolean isOfSortedSet() {
    CallbackContext<ClassLevel> context = contexts.active();
    LocalClass local = context == null ? null : context.level().local;
    return local != null && SortedSet.class.isAssignableFrom(local.type);
  }

  /**
   * Enters the stream from such a method.
   *
   * @return the loader found before, which is to be restored at the end
   */
  public @Nullable ClassLoader enter() {
    ClassLoader outer = reader.caller();
    if (!foreign || ClassFinder.isUserCode(reader.hooks.stream().getClass())) {
      reader.setCaller(null);
    }
    return outer;
  }

  /** Runs the {@code readObject} method of one class of the object's hierarchy. */
  public void readCustom(Object object, ClassLevel level, ClassHooks hooks) throws IOException {
    checkThread();
    int handle = reader.currentHandle();
    boolean outerForeign = foreign;
    boolean outerHashing = hashing;
    Object outerComposite = composite;
    ComparatorCost.Ordering outerOrdering = ordering;
    KeyCollisions outerKeys = keys;
    LaterTable outerLater = later;
    int outerInts = intsToLength;
    long open = reader.claims().open;
    long unproven = reader.claims().unproven;
    int outer = contexts.begin(object, level);
    try {
      foreign = !level.isUserCode();
      hashing = foreign && !isSequence(level);
      composite = foreign && HashCost.hasParts(object.getClass()) ? object : null;
      ordering = null;
      keys = keysOf(level);
      later = null;
      intsToLength = foreign ? lengthOf(level) : NO_LENGTH;
      userCode |= !foreign;
      blocks.setBlockMode(true);
      hooks.readObject(object, reader.hooks.stream());
      if (later != null) {
        later.count();
      }
    } catch (ClassNotFoundException e) {
      handles.mark(handle, e);
    } catch (StackOverflowError e) {
      if (level.isUserCode()) {
        throw e;
      }
      throw VmErrors.endless(object.getClass(), e);
    } catch (InternalError | OutOfMemoryError e) {
      if (level.isUserCode()) {
        throw e;
      }
      throw VmErrors.refused(object.getClass(), e);
    } finally {
      foreign = outerForeign;
      hashing = outerHashing;
      composite = outerComposite;
      ordering = outerOrdering;
      keys = outerKeys;
      later = outerLater;
      intsToLength = outerInts;
      reader.claims().restore(open, unproven);
      contexts.end(outer);
      checkThread();
    }
    dataEnded = false;
  }

  private @Nullable KeyCollisions keysOf(ClassLevel level) {
    LocalClass local = level.local;
    Boolean ordersKeys = local == null ? null : TABLES.get(local.type);
    return local == null || ordersKeys == null
        ? null
        : reader.hashCost().collisions(ordersKeys, local.type != HashSet.class);
  }

  /** Whether the class keeps elements without hashing them. */
  private static boolean isSequence(ClassLevel level) {
    LocalClass local = level.local;
    return local != null
        && Collection.class.isAssignableFrom(local.type)
        && !Set.class.isAssignableFrom(local.type);
  }

  private static int lengthOf(ClassLevel level) {
    return level.local == null
        ? NO_LENGTH
        : LENGTHS.getOrDefault(level.local.type.getName(), NO_LENGTH);
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
    boolean outerForeign = foreign;
    boolean outerHashing = hashing;
    Object outerComposite = composite;
    ComparatorCost.Ordering outerOrdering = ordering;
    KeyCollisions outerKeys = keys;
    LaterTable outerLater = later;
    try {
      if (inBlocks) {
        blocks.setBlockMode(true);
      }
      if (object != null) {
        foreign = !ofUser;
        hashing = foreign;
        composite = foreign && HashCost.hasParts(object.getClass()) ? object : null;
        ordering = null;
        keys = null;
        later = null;
        userCode |= ofUser;
        try {
          object.readExternal(reader.hooks.stream());
        } catch (ClassNotFoundException e) {
          handles.mark(handle, e);
        } catch (StackOverflowError | InternalError | OutOfMemoryError e) {
          if (ofUser) {
            throw e;
          }
          throw VmErrors.refused(object.getClass(), e);
        }
        foreign = outerForeign;
      }
      if (inBlocks) {
        skipCustomData();
      }
    } finally {
      foreign = outerForeign;
      hashing = outerHashing;
      composite = outerComposite;
      ordering = outerOrdering;
      keys = outerKeys;
      later = outerLater;
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
    boolean outer = dataEnded;
    blocks.setBlockMode(true);
    dataEnded = true;
    return outer;
  }

  /** Ends that call. */
  public void endWithoutData(boolean outer) {
    dataEnded = outer;
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
    boolean tagCounts = active().level().keepsTag() && reader.hashCost().isBounded();
    if (active().level().isDirect() && !tagCounts) {
      blocks.setBlockMode(false);
      readDirectly(object);
    } else {
      FieldValues values = readFieldValues(true);
      values.check(object);
      if (active().level().keepsSize()) {
        admit(values.get("size", 0));
      }
      if (tagCounts) {
        later = reader.hashCost().laterTable(values.get("tag", 0));
      }
      values.set(object);
    }
    ordering = reader.comparatorCost.ordering(active().level().comparatorOf(object));
    endFields();
    ClassNotFoundException failure = handles.failure(reader.currentHandle());
    if (failure != null) {
      throw failure;
    }
  }

  /** {@link ObjectInputStream#readFields}. */
  public ObjectInputStream.GetField readFields() throws IOException {
    CallbackContext<ClassLevel> context = active();
    context.take();
    FieldValues values = readFieldValues(false);
    endFields();
    return values;
  }

  private CallbackContext<ClassLevel> active() throws NotActiveException {
    CallbackContext<ClassLevel> context = contexts.active();
    if (context == null) {
      throw new NotActiveException("not in call to readObject");
    }
    return context;
  }

  private FieldValues readFieldValues(boolean dependent) throws IOException {
    blocks.setBlockMode(false);
    ClassLoader outer = enter();
    try {
      return new FieldValues(reader, active().level(), dependent);
    } finally {
      reader.setCaller(outer);
    }
  }

  private void readDirectly(Object object) throws IOException {
    ClassLoader outer = enter();
    try {
      reader.readDefaultFields(object, active().level());
    } finally {
      reader.setCaller(outer);
    }
  }

  private void endFields() throws NotActiveException {
    blocks.setBlockMode(true);
    dataEnded = !active().level().hasCustomData();
  }
}
