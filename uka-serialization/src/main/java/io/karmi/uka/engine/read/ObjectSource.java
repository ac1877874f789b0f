package io.karmi.uka.engine.read;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.engine.CompactNumbers;
import io.karmi.uka.field.FieldSource;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.handle.ReadHandleTable;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Source of nested objects: their depth and handles, and the values that are read on the fast path.
 * {@link ObjectReader} reads all others.
 *
 * <p>{@link #currentHandle()} identifies the value that was read last, or the object that is being
 * read.
 */
public abstract class ObjectSource extends FieldSource {
  /** Objects that are read within each other by recursion. */
  private static final int DEEP = 128;

  /**
   * Objects that get their handles together, at most: as many stay in the processor's first cache.
   */
  private static final int MAXIMUM_TAKEN = 256;

  public final FormatReader format;
  public final ReadHandleTable handles;
  final ReadTypeTable typeTable;
  private final KnownAccesses accesses;

  /** Values that are being read within each other. */
  public int depth;

  public int currentHandle = ReadHandleTable.NONE;

  /**
   * The object whose {@code readObject} method reads default fields, which it gets even if it is
   * marked.
   */
  protected int defaultHandle = ReadHandleTable.NONE;

  private final boolean littleEndian;

  /** Depth down to which the fast path is allowed: {@link #DEEP}; -1 while a hook observes. */
  private int freeDepth = DEEP;

  /**
   * Cache of one entry for {@link #accesses}: the type of the last outermost object, which is often
   * that of the objects within it and of the next one.
   */
  private int lastNumber = FormatReader.NOTHING_TAKEN;

  private @Nullable ObjectAccess lastWhole;

  ObjectSource(
      InputBuffer buffer,
      ObjectInputStream stream,
      FormatReader format,
      ReadTypeTable typeTable,
      KnownAccesses accesses) {
    super(buffer, stream);
    this.format = format;
    this.typeTable = typeTable;
    this.accesses = accesses;
    handles = typeTable.handles();
    littleEndian = format.order() == ByteOrder.LITTLE_ENDIAN;
  }

  public FormatReader format() {
    return format;
  }

  public boolean isLittleEndian() {
    return littleEndian;
  }

  public ReadHandleTable handles() {
    return handles;
  }

  public ReadTypeTable typeTable() {
    return typeTable;
  }

  public int depth() {
    return depth;
  }

  /** Whether objects are nested too deep for recursion. */
  public boolean isDeep() {
    return depth > DEEP;
  }

  public int currentHandle() {
    return currentHandle;
  }

  public void setCurrentHandle(int handle) {
    currentHandle = handle;
  }

  /** Sets whether a hook observes each value. */
  public void setWatched(boolean watched) {
    freeDepth = watched ? -1 : DEEP;
  }

  @Override
  public @Nullable Object readString(int owner) throws IOException {
    String text = takeText();
    return text == null ? readReference(owner) : text;
  }

  @Override
  public @Nullable Object readInteger(int owner) throws IOException {
    Integer box = takeInteger();
    return box == null ? readReference(owner) : box;
  }

  /** Reads an {@code Integer} on the fast path; null, and nothing has been read, if none comes. */
  public @Nullable Integer takeInteger() throws IOException {
    if (!takeIfNext(accesses.integers)) {
      return null;
    }
    Integer box = CompactNumbers.nextInteger(buffer);
    handles.assignSettled(box);
    return box;
  }

  @Override
  public @Nullable Object readLong(int owner) throws IOException {
    if (!takeIfNext(accesses.longs)) {
      return readReference(owner);
    }
    Long box = CompactNumbers.nextLong(buffer);
    handles.assignSettled(box);
    return box;
  }

  @Override
  public @Nullable Object readDouble(int owner) throws IOException {
    if (!takeIfNext(accesses.doubles)) {
      return readReference(owner);
    }
    Double box = CompactNumbers.nextDouble(buffer, littleEndian);
    handles.assignSettled(box);
    return box;
  }

  @Override
  public @Nullable Object readArray(int owner, char code) throws IOException {
    Object array = isWatched() ? null : format.takeShortArray(accesses.arrays[code - 'B'], code);
    if (array == null) {
      return readReference(owner);
    }
    handles.assignSettled(array);
    return array;
  }

  /** Reads a string on the fast path; null, and nothing has been read, if that cannot be. */
  public @Nullable String takeText() throws IOException {
    String text = depth > freeDepth ? null : format.takeString();
    if (text != null) {
      handles.assignSettled(text);
    }
    return text;
  }

  /**
   * Reads strings on the fast path, as long as such come next: the last objects of {@link
   * #handles}.
   *
   * @return how many
   */
  public final int takeTexts(int most) throws IOException {
    if (isWatched()) {
      return 0;
    }
    int count = Math.min(most, MAXIMUM_TAKEN);
    @Nullable Object[] objects = handles.room(count);
    int first = handles.size();
    int taken = format.takeStrings(objects, first, first + count) - first;
    handles.addSettled(taken);
    return taken;
  }

  /**
   * As {@link #takeTexts}, for strings in turn with boxes of the type with this number.
   *
   * @return how many pairs
   */
  public final int takeTextsAndBoxes(int mostPairs, int number) throws IOException {
    char code = accesses.boxCode(number);
    if (code == 0 || isWatched()) {
      return 0;
    }
    int count = Math.min(2 * Math.min(mostPairs, MAXIMUM_TAKEN), MAXIMUM_TAKEN);
    @Nullable Object[] objects = handles.room(count);
    int first = handles.size();
    int taken = format.takeTextsAndBoxes(objects, first, first + count, number, code) - first;
    handles.addSettled(taken);
    return taken / 2;
  }

  /** Reads a reference to a complete object, if one comes next; else null. */
  public @Nullable Object takeKnown() throws IOException {
    Object known = handles.settled(format.peekHandle());
    if (known == null || known instanceof ReadType) {
      return null;
    }
    format.readHandle();
    return known;
  }

  /** Whether a hook observes each value, or objects are nested too deep: no fast path. */
  public boolean isWatched() {
    return depth > freeDepth;
  }

  /** Whether a packed run comes next that can be read as one. */
  public boolean comesRun() {
    return format.comesRun() && !isWatched();
  }

  /** The access that makes whole objects of a type, or null. */
  public @Nullable ObjectAccess whole(int number) {
    return number == lastNumber ? lastWhole : accesses.whole(number);
  }

  /** As {@link #whole}, for an object that is about to be read. */
  public @Nullable ObjectAccess wholeToRead(int number) {
    if (number == lastNumber) {
      return lastWhole;
    }
    ObjectAccess whole = accesses.whole(number);
    if (depth == 1 && whole != null) {
      lastNumber = number;
      lastWhole = whole;
    }
    return whole;
  }

  /** Forgets accesses, as numbers may now mean other types or types of another loader. */
  final void forgetKnown() {
    accesses.forget();
    lastNumber = FormatReader.NOTHING_TAKEN;
    lastWhole = null;
  }

  @Override
  public boolean takeIfNext(int number) throws IOException {
    return !isWatched() && format.takesObject(number);
  }

  @Override
  public int runToken(int number) {
    return isWatched() ? 0 : format.runToken(number);
  }

  @Override
  public void addLeaves(Object[] objects, int from, int to) {
    handles.assignAllSettled(objects, from, to);
  }

  @Override
  public void dependOnLast(int owner) {
    if (!handles.isQuiet()) {
      handles.depend(owner, currentHandle);
    }
    currentHandle = owner;
  }

  @Override
  public boolean enterIfNext(ObjectAccess maker) throws IOException {
    if (maker == lastWhole) {
      boolean begins = takeIfNext(lastNumber);
      depth += begins ? 1 : 0;
      return begins;
    }
    int number = isWatched() ? FormatReader.NOTHING_TAKEN : format.peekObject();
    return number >= 0 && accesses.whole(number) == maker && enterKnown();
  }

  @Override
  public boolean enterIfNext(Class<?> woven) throws IOException {
    int number = isWatched() ? FormatReader.NOTHING_TAKEN : format.peekObject();
    return number >= 0 && accesses.selfMade(number) == woven && enterKnown();
  }

  private boolean enterKnown() throws IOException {
    format.takeObject();
    depth++;
    return true;
  }

  @Override
  public void leaveTo(int owner) {
    depth--;
    dependOnLast(owner);
  }

  @Override
  public int begin(@Nullable Object object) {
    return handles.assign(object);
  }

  @Override
  public void addLeaf(Object object) {
    currentHandle = handles.assignSettled(object);
  }

  @Override
  public void complete(int handle, Object object) {
    handles.set(handle, object);
  }

  @Override
  public void end(int handle) {
    handles.finish(handle);
    currentHandle = handle;
  }

  @Override
  public int nextHandle() {
    return handles.size();
  }

  @Override
  public void endSelfMade(int handle, Object object) throws InvalidClassException {
    if (handles.size() == handle) {
      throw new InvalidClassException(
          object.getClass().getName(),
          "its unmarshalling constructor does not call register(this)");
    }
    end(handle);
  }

  @Override
  public void lose(int handle, ClassNotFoundException reason) {
    handles.mark(handle, reason);
    currentHandle = handle;
  }

  /** Gives a handle to an object that its own class makes (paper 3.7). */
  public void register(Object object) {
    currentHandle = handles.assign(object);
  }

  @Override
  public boolean isIntact(int handle) {
    return handles.failure(handle) == null || handle == defaultHandle;
  }

  /** Gives an object its handle, before anything is read that may refer back to it. */
  public void begin(@Nullable Object object, ReadType type, boolean unshared) {
    currentHandle = handles.assign(unshared ? ReadHandleTable.UNSHARED : object);
    if (type.resolveFailure() != null) {
      handles.mark(currentHandle, type.resolveFailure());
    }
  }

  /** Sets the current handle's object, which could not be made before. */
  public void complete(@Nullable Object object, boolean unshared) {
    if (!unshared) {
      handles.set(currentHandle, object);
    }
  }
}
