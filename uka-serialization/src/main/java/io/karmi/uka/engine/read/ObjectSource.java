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
 * Where objects within each other come from: how deep they are, which handle each has, and what
 * comes next and can be taken at a glance. {@link ObjectReader} reads all else.
 *
 * <p>{@link #currentHandle()} is how a value that has been read is known afterwards: the handle of
 * the last value, or of the object that is being read.
 */
public abstract class ObjectSource extends FieldSource {
  /** How many objects may be read within each other by calls within calls. */
  private static final int DEEP = 128;

  public final FormatReader format;
  public final ReadHandleTable handles;
  final ReadTypeTable typeTable;
  private final KnownAccesses accesses;

  /** How many values are being read within each other. */
  public int depth;

  public int currentHandle = ReadHandleTable.NONE;

  /**
   * The object whose {@code readObject} method reads default fields: it gets them even if it is
   * marked.
   */
  protected int defaultHandle = ReadHandleTable.NONE;

  private final boolean littleEndian;

  /** To this depth no hook has to see what is read: {@link #DEEP}, or -1. */
  private int freeDepth = DEEP;

  /**
   * The number of the last type that a program's object had, and what makes objects of it: those
   * within are often of the same, as is the next, and here it is at hand.
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

  /** The wire format in use. */
  public FormatReader format() {
    return format;
  }

  /** Whether the format's primitives are little-endian. */
  public boolean isLittleEndian() {
    return littleEndian;
  }

  public ReadHandleTable handles() {
    return handles;
  }

  public ReadTypeTable typeTable() {
    return typeTable;
  }

  /** How many values are being read within each other. */
  public int depth() {
    return depth;
  }

  /** Whether calls within calls would soon take more stack than there is. */
  public boolean isDeep() {
    return depth > DEEP;
  }

  public int currentHandle() {
    return currentHandle;
  }

  public void setCurrentHandle(int handle) {
    currentHandle = handle;
  }

  /** Says whether a hook has to see each value from now on. */
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
    if (!takesNext(accesses.integers)) {
      return readReference(owner);
    }
    Integer box = CompactNumbers.nextInteger(buffer);
    handles.assignSettled(box);
    return box;
  }

  @Override
  public @Nullable Object readLong(int owner) throws IOException {
    if (!takesNext(accesses.longs)) {
      return readReference(owner);
    }
    Long box = CompactNumbers.nextLong(buffer);
    handles.assignSettled(box);
    return box;
  }

  @Override
  public @Nullable Object readDouble(int owner) throws IOException {
    if (!takesNext(accesses.doubles)) {
      return readReference(owner);
    }
    Double box = CompactNumbers.nextDouble(buffer, littleEndian);
    handles.assignSettled(box);
    return box;
  }

  /** Reads a string, if one comes next that can be taken at once; else null. */
  public @Nullable String takeText() throws IOException {
    String text = depth > freeDepth ? null : format.takeString();
    if (text != null) {
      handles.assignSettled(text);
    }
    return text;
  }

  /** Reads a reference to an object that is complete, if one comes next; else null. */
  public @Nullable Object takeKnown() throws IOException {
    Object known = handles.settled(format.peekHandle());
    if (known == null || known instanceof ReadType) {
      return null;
    }
    format.readHandle();
    return known;
  }

  /** Whether a hook has to see each value, or the stack has to be spared. */
  public boolean isWatched() {
    return depth > freeDepth;
  }

  /** Whether elements come next that are not watched and can be read together. */
  public boolean comesRun() {
    return format.comesRun() && !isWatched();
  }

  /** What makes whole objects of a type; null if nothing does. */
  public @Nullable ObjectAccess whole(int number) {
    return number == lastNumber ? lastWhole : accesses.whole(number);
  }

  /** The same for an object that is about to be read, and whose type is the last one then. */
  public @Nullable ObjectAccess wholeOfNext(int number) {
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

  /** Numbers may be those of other types from now on, or of types of another loader. */
  final void forgetKnown() {
    accesses.forget();
    lastNumber = FormatReader.NOTHING_TAKEN;
    lastWhole = null;
  }

  @Override
  public boolean takesNext(int number) throws IOException {
    return !isWatched() && format.takesObject(number);
  }

  @Override
  public void own(int owner) {
    if (!handles.isQuiet()) {
      handles.depend(owner, currentHandle);
    }
    currentHandle = owner;
  }

  @Override
  public boolean begins(ObjectAccess maker) throws IOException {
    if (maker == lastWhole) {
      boolean begins = takesNext(lastNumber);
      depth += begins ? 1 : 0;
      return begins;
    }
    int number = isWatched() ? FormatReader.NOTHING_TAKEN : format.peekObject();
    return number >= 0 && accesses.whole(number) == maker && enterKnown();
  }

  @Override
  public boolean begins(Class<?> woven) throws IOException {
    int number = isWatched() ? FormatReader.NOTHING_TAKEN : format.peekObject();
    return number >= 0 && accesses.selfMade(number) == woven && enterKnown();
  }

  private boolean enterKnown() throws IOException {
    format.takeObject();
    depth++;
    return true;
  }

  @Override
  public void ends(int owner) {
    depth--;
    own(owner);
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

  /** Gives an object that its own class is making its handle (paper 3.7). */
  public void register(Object object) {
    currentHandle = handles.assign(object);
  }

  @Override
  public boolean isIntact(int handle) {
    return handles.failure(handle) == null || handle == defaultHandle;
  }

  /**
   * Gives an object that is being read its handle, before anything that may refer back to it is
   * read.
   */
  public void begin(@Nullable Object object, ReadType type, boolean unshared) {
    currentHandle = handles.assign(unshared ? ReadHandleTable.UNSHARED : object);
    if (type.resolveFailure() != null) {
      handles.mark(currentHandle, type.resolveFailure());
    }
  }

  /** Replaces an object that had a handle before it could be made. */
  public void complete(@Nullable Object object, boolean unshared) {
    if (!unshared) {
      handles.set(currentHandle, object);
    }
  }
}
