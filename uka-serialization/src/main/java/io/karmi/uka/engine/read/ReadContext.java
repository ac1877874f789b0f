package io.karmi.uka.engine.read;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.engine.read.cost.ComparatorCost;
import io.karmi.uka.engine.read.cost.ContentCost;
import io.karmi.uka.engine.read.cost.HashCost;
import io.karmi.uka.engine.read.cost.StepBudget;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.Runs;
import io.karmi.uka.format.Token;
import io.karmi.uka.handle.ReadHandleTable;
import io.karmi.uka.platform.SerializationFactory;
import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.StreamCorruptedException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Context in which the parts of one value are read: its type, its fields and elements, and the data
 * of its class's own methods. {@code ObjectReader} is the only implementation; it also chooses how
 * whole values are read, of which the parts know nothing.
 */
public abstract class ReadContext extends ObjectSource implements BlockReader.Owner {
  public final InputHooks hooks;
  final FilterGate filter;
  final Validations validations = new Validations();
  final BlockReader blocks;
  final ReadCallbacks callbacks;
  final Claims claims;
  private final StepBudget steps;
  final ComparatorCost comparatorCost;
  private final HashCost hashCost;
  private final ContentCost contentCost;
  private byte @Nullable [] scratch;

  /** Room for elements; null while in use, as a method of an element could read on. */
  private @Nullable Object @Nullable [] room;

  /** Loader of the latest user code; null as long as it has not been looked for. */
  private @Nullable ClassLoader caller;

  /** Whether {@link #caller} was ever found, so that the stream may know classes of it. */
  private boolean hasUserClasses;

  ReadContext(
      InputHooks hooks,
      InputBuffer buffer,
      FormatReader format,
      ReadTypeTable typeTable,
      KnownAccesses accesses,
      boolean embedded) {
    super(buffer, hooks.stream(), format, typeTable, accesses);
    this.hooks = hooks;
    blocks = new BlockReader(buffer, format, this);
    claims = new Claims(buffer, handles);
    steps = new StepBudget(handles, buffer);
    comparatorCost = new ComparatorCost(steps);
    hashCost = new HashCost(steps, comparatorCost);
    contentCost = new ContentCost(steps);
    filter = new FilterGate(buffer, embedded);
    callbacks = new ReadCallbacks(this, blocks);
  }

  public final InputBuffer buffer() {
    return buffer;
  }

  public final BlockReader blocks() {
    return blocks;
  }

  public final ReadCallbacks callbacks() {
    return callbacks;
  }

  public final Claims claims() {
    return claims;
  }

  public final HashCost hashCost() {
    return hashCost;
  }

  public final ContentCost contentCost() {
    return contentCost;
  }

  /** Temporary room for a number. */
  public final byte[] scratch() {
    if (scratch == null) {
      scratch = new byte[Long.BYTES];
    }
    return scratch;
  }

  /** Temporary room for elements of a collection. */
  public final @Nullable Object[] takeRoom() {
    @Nullable Object[] taken = room == null ? new @Nullable Object[Runs.MAXIMUM] : room;
    room = null;
    return taken;
  }

  /** Gives the room back, with its first {@code length} elements in use. */
  public final void giveRoom(@Nullable Object[] taken, int length) {
    Arrays.fill(taken, 0, length, null);
    room = taken;
  }

  /* Values within the one that is being read. */

  /** Reads a value, in whichever mode the stream is, and leaves its handle to the caller. */
  public abstract @Nullable Object read(boolean unshared) throws IOException;

  /** Reads a value and leaves its handle to the caller. */
  public abstract @Nullable Object readNested(boolean unshared) throws IOException;

  /**
   * Reads an element of the collection with handle {@code owner}.
   *
   * @param after number of elements that follow
   * @return the element; also null if the collection is now {@linkplain #isMarked marked}
   */
  public final @Nullable Object readElement(int owner, int after) throws IOException {
    String text = takeText();
    return text == null ? readOtherElement(owner, after) : text;
  }

  /** As {@link #readElement}, for an element that is no string on the fast path. */
  public abstract @Nullable Object readOtherElement(int owner, int after) throws IOException;

  /**
   * Reads elements of the array or collection with handle {@code owner}, as long as they are
   * strings or objects of one class on the fast path.
   *
   * @param to end of the elements
   * @return the index of the first element that has not been read
   */
  public abstract int readRun(Object[] elements, int from, int to, int owner) throws IOException;

  /**
   * Reads the packed run that comes next.
   *
   * @param to end of the collection's elements
   * @return the index of the first element that has not been read; {@code from} if the run was
   *     expanded, to be read element by element
   */
  public abstract int readPacked(@Nullable Object[] elements, int from, int to, int owner)
      throws IOException;

  /**
   * Reads an object of a type that has been read.
   *
   * @param ofAnyKind whether the type, not the token, tells objects from arrays and constants
   */
  public abstract @Nullable Object readOf(ReadType type, boolean unshared, boolean ofAnyKind)
      throws IOException;

  /** Ends the current object or array, which its own class may replace. */
  public abstract @Nullable Object finish(ReadType type, @Nullable Object object, boolean unshared)
      throws IOException;

  /** A type that is known by its number. */
  public abstract ReadType numbered(int number) throws IOException;

  /** How objects of the type with this number are read; null as long as none has been read. */
  abstract @Nullable ReadPlan planOf(int number);

  /** Puts the plan of a type in use for further objects. */
  abstract void use(ReadType type);

  /** Goes one level down, to a value whose first token is returned. */
  final int enter() throws IOException {
    int token = format.peek();
    if (token == Token.RESET || token == Token.RESET_OBJECTS) {
      handleReset(token);
    }
    if (token < Token.NULL) {
      throw noValue(token);
    }
    depth++;
    count();
    return token;
  }

  /** Goes one level up. */
  final void leave() {
    depth--;
  }

  final IOException noValue(int token) throws IOException {
    return token == Token.END_OF_STREAM && depth == 0
        ? new EOFException()
        : format.misplacedToken();
  }

  /** Begins the elements of a collection, behind its primitives. */
  public final void beginElements() throws IOException {
    if (blocks.left() > 0) {
      throw SerializationFactory.optionalDataException(blocks.left());
    }
    blocks.setBlockMode(false);
  }

  /** Whether the current object depends on a missing class, and is not handed out. */
  public final boolean isMarked() {
    return handles.failure(currentHandle) != null;
  }

  /** Reads the fields that one class declares straight into the current object. */
  final void readDefaultFields(Object object, ClassLevel level) throws IOException {
    int outerDefault = defaultHandle;
    defaultHandle = currentHandle;
    level.access(format.order()).read(this, object, currentHandle);
    defaultHandle = outerDefault;
  }

  /* The caller. */

  /** Loader of the latest user code; null if it has not been looked for. */
  final @Nullable ClassLoader caller() {
    return caller;
  }

  /** Sets that loader; null where other user code may be the latest now. */
  final void setCaller(@Nullable ClassLoader loader) {
    caller = loader;
    hasUserClasses |= loader != null;
  }

  /** Whether the stream may know a class of a program. */
  final boolean hasUserClasses() {
    return hasUserClasses;
  }

  /* Filters. */

  /** Updates whether values are observed: the filter or {@code resolveObject} may have changed. */
  abstract void watch();

  final void fixFilter() {
    if (filter.fix(hooks)) {
      watch();
    }
  }

  /** Counts a value for the filter; the first one fixes the filter. */
  final void count() {
    fixFilter();
    filter.count();
  }

  public final void check(@Nullable Class<?> type, long arrayLength) throws InvalidClassException {
    if (filter.isClosed()) {
      filter.check(type, arrayLength, depth, blocks.bytesAhead());
    }
  }

  /**
   * Shows the filter an array of an object that has no handle yet. If it is refused, the object
   * takes its handle nevertheless, so that a program that reads on finds the objects behind it
   * under their numbers.
   */
  public final void checkPart(Class<?> array, long length) throws InvalidClassException {
    try {
      check(array, length);
    } catch (InvalidClassException e) {
      handles.assignSettled(ReadHandleTable.UNSHARED);
      throw e;
    }
  }

  /** As {@link FilterGate#checkAgain}. */
  final void checkAgain(ReadType type) throws InvalidClassException {
    filter.checkAgain(type, depth);
  }

  /** Counts a class as a reference one level down, until {@link #leave}. */
  final void enterType() {
    count();
    depth++;
  }

  /* The state of the whole stream. */

  @Override
  public final void handleReset(int token) throws IOException {
    if (depth > 0) {
      throw new StreamCorruptedException("unexpected reset; recursion depth: " + depth);
    }
    if (token == Token.RESET) {
      forgetTypes();
    }
    forgetObjects();
    claims.begin();
  }

  /** Forgets the objects of a message, complete or not. */
  public final void resetObjects() {
    currentHandle = ReadHandleTable.NONE;
    defaultHandle = ReadHandleTable.NONE;
    depth = 0;
    forgetObjects();
    filter.reset();
    typeTable.beginMessage();
  }

  private void forgetObjects() {
    handles.clear();
    beginSteps();
    validations.clear();
  }

  final void beginSteps() {
    steps.beginBytes();
    if (steps.isUsed()) {
      hashCost.begin();
    }
  }

  /** Counts what the values of a message have not been counted for. */
  final void endSteps() throws InvalidObjectException {
    if (steps.isUsed()) {
      comparatorCost.endMessage();
    }
  }

  private void forgetTypes() {
    typeTable.clear();
    format().forgetDescribed();
    forgetKnown();
  }

  /** Forgets all objects and types. */
  public final void clear() {
    handles.clear();
    forgetTypes();
    validations.clear();
  }
}
