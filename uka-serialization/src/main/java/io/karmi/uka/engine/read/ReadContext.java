package io.karmi.uka.engine.read;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.Runs;
import io.karmi.uka.format.Token;
import io.karmi.uka.handle.ReadHandleTable;
import io.karmi.uka.platform.SerializationFactory;
import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.StreamCorruptedException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Context in which the parts of one value are read: its type, its fields and elements, and what its
 * class's own methods read. {@code ObjectReader} is the only one; the parts need not know that it
 * also decides how whole values are read.
 */
public abstract class ReadContext extends ObjectSource implements BlockReader.Owner {

  public final InputHooks hooks;
  final FilterGate filter;
  final Validations validations = new Validations();
  final BlockReader blocks;
  final ReadCallbacks callbacks;
  final Claims claims;
  private final HashCost hashCost;
  private byte @Nullable [] scratch;

  /** Null while it is in use: a method of an element could read on. */
  private @Nullable Object @Nullable [] room;

  /**
   * The loader of the program's code that reads; null as long as it has not been looked for: a walk
   * of the stack is not cheap.
   */
  private @Nullable ClassLoader caller;

  /** Whether {@link #caller} has ever been found, so that the stream may know a class of it. */
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
    hashCost = new HashCost(handles);
    filter = new FilterGate(buffer, embedded);
    callbacks = new ReadCallbacks(this, blocks);
  }

  /** Where marshalers load primitives from. */
  public final InputBuffer buffer() {
    return buffer;
  }

  /** What {@code readInt} and its like read from. */
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

  /** Room for a number on its way into a field. */
  public final byte[] scratch() {
    if (scratch == null) {
      scratch = new byte[Long.BYTES];
    }
    return scratch;
  }

  /** Room for elements on their way into a collection. */
  public final @Nullable Object[] takeRoom() {
    @Nullable Object[] taken = room == null ? new @Nullable Object[Runs.MOST] : room;
    room = null;
    return taken;
  }

  /** Forgets what is in the room, and keeps it for others. */
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
   * Reads an element of the collection with this handle, where a {@code readObject} method would
   * call the stream.
   *
   * @param after how many elements follow
   * @return null too if the collection is {@link #isMarked} from now on
   */
  public final @Nullable Object readElement(int owner, int after) throws IOException {
    String text = takeText();
    return text == null ? readOtherElement(owner, after) : text;
  }

  /** As {@link #readElement}, where that is no text that can be taken at once. */
  public abstract @Nullable Object readOtherElement(int owner, int after) throws IOException;

  /**
   * Reads elements of the array or collection with this handle, as long as they are strings or
   * objects of one class, and need not be read one by one.
   *
   * @param to where the elements end
   * @return the index of the first element that has not been read
   */
  public abstract int readRun(Object[] elements, int from, int to, int owner) throws IOException;

  /**
   * Reads all elements of the packed run that comes next.
   *
   * @param to where the collection's elements end
   * @return the index of the first element that has not been read; {@code from} if they have to be
   *     read one by one
   */
  public abstract int readPacked(@Nullable Object[] elements, int from, int to, int owner)
      throws IOException;

  /**
   * Reads an object of a type that has been read.
   *
   * @param ofAnyKind whether it is an array or a constant if those of the type are, since its token
   *     does not say what it is
   */
  public abstract @Nullable Object readOf(ReadType type, boolean unshared, boolean ofAnyKind)
      throws IOException;

  /** Ends an object or array, the current one: its own class may replace it. */
  public abstract @Nullable Object finish(ReadType type, @Nullable Object object, boolean unshared)
      throws IOException;

  /** A type that is known by its number. */
  public abstract ReadType numbered(int number) throws IOException;

  /** How objects of the type with this number are read; null as long as none has been read. */
  abstract @Nullable ReadPlan planOf(int number);

  /** Goes one level down, to a value that begins with the token returned. */
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
    return token == Token.END_OF_STREAM ? new EOFException() : format.misplacedToken();
  }

  /** Where a {@code readObject} method would read its first element: no primitives are left. */
  public final void beginElements() throws IOException {
    if (blocks.left() > 0) {
      throw SerializationFactory.optionalDataException(blocks.left());
    }
    blocks.setBlockMode(false);
  }

  /** Whether the object being read will not be handed out. */
  public final boolean isMarked() {
    return handles.failure(currentHandle) != null;
  }

  /** Reads the fields of the current object that one of its classes declares, straight into it. */
  final void readDefaultFields(Object object, Level level) throws IOException {
    int outerDefault = defaultHandle;
    defaultHandle = currentHandle;
    level.access(format.order()).read(this, object, currentHandle);
    defaultHandle = outerDefault;
  }

  /* Who reads. */

  /** The loader of the program's code that reads; null if it has not been looked for. */
  final @Nullable ClassLoader caller() {
    return caller;
  }

  /** Says which loader it is, or null: another frame may be the latest of the program's own. */
  final void setCaller(@Nullable ClassLoader loader) {
    caller = loader;
    hasUserClasses |= loader != null;
  }

  /**
   * Whether the stream may know a class of a program: only readers of such classes have frames that
   * are no user code and that the VM would not pass over.
   */
  final boolean hasUserClasses() {
    return hasUserClasses;
  }

  /* Filters. */

  /** There may be another filter, or the stream replaces objects, or does so no more. */
  abstract void watch();

  final void fixFilter() {
    if (filter.fix(hooks)) {
      watch();
    }
  }

  /** Counts a value for the filter; the first one of all fixes it. */
  final void count() {
    fixFilter();
    filter.count();
  }

  public final void check(@Nullable Class<?> type, long arrayLength) throws InvalidClassException {
    if (filter.isClosed()) {
      filter.check(type, arrayLength, depth);
    }
  }

  /**
   * Shows the filter a class that an earlier message has described: that message may have been for
   * another caller.
   *
   * @param type used again
   */
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
  public final boolean isDataEnded() {
    return callbacks.isDataEnded();
  }

  @Override
  public final void handleReset(int token) throws IOException {
    if (depth > 0) {
      throw new StreamCorruptedException("unexpected reset; recursion depth: " + depth);
    }
    if (token == Token.RESET) {
      forgetTypes();
    }
    forgetObjects();
  }

  /** Forgets the objects of a message, and what was under way. */
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
    claims.begin();
    hashCost.begin();
    validations.clear();
  }

  private void forgetTypes() {
    typeTable.clear();
    forgetKnown();
  }

  /** Forgets everything that the stream has said. */
  public final void clear() {
    handles.clear();
    forgetTypes();
    validations.clear();
  }
}
