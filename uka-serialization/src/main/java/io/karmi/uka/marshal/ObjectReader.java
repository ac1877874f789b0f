package io.karmi.uka.marshal;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.Token;
import io.karmi.uka.handle.ReadHandleTable;
import io.karmi.uka.marshal.access.FieldSource;
import io.karmi.uka.marshal.access.ObjectAccess;
import io.karmi.uka.marshal.access.SerializationFactory;
import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.StreamCorruptedException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The reading half of the engine: Java's serialization semantics, in whatever wire format. {@link
 * ObjectWriter} is its mirror image, {@link MessageReader} the stream around it.
 *
 * <p>Objects of classes that are missing are read nevertheless, to no object, so that what follows
 * them can be read; they are marked, and so is what depends on them ({@link ReadHandleTable}).
 * {@link #currentHandle()} is how a value that has been read is known afterwards: the handle of the
 * last value, or of the object that is being read.
 *
 * <p>Not thread-safe, as the JDK's streams are not.
 */
public final class ObjectReader extends FieldSource implements BlockReader.Owner {
  /** How many objects may be read within each other by calls within calls. */
  private static final int DEEP = 128;

  /** Of so many elements the source is told that they follow. */
  private static final int MOST_AFTER = 1 << 8;

  final InputHooks hooks;
  private final FormatReader format;
  private final BlockReader blocks;
  private final boolean embedded;
  private final boolean littleEndian;
  private final ReadHandleTable handles = new ReadHandleTable();
  private final TypeReader types;
  private final ReadTypeTable typeTable;
  private final FilterGate filter;
  private final Validations validations = new Validations();
  private final ReadCallbacks callbacks;
  private final Completion completion;
  private final SpecialValues specials;
  private final ValueReader values;
  private @Nullable ShortForms shortForms;
  private @Nullable RunReader runs;
  private byte @Nullable [] scratch;
  private int currentHandle = ReadHandleTable.NONE;
  private int depth;

  /**
   * The number of the last type that a program's object had, and what makes objects of it: those
   * within are often of the same, as is the next, and here it is at hand.
   */
  private int lastNumber = FormatReader.NOTHING_TAKEN;

  private @Nullable ObjectAccess lastWhole;

  /** To this depth nobody has to see what is read: {@link #DEEP}, or -1. */
  private int freeDepth = DEEP;

  /**
   * The object whose {@code readObject} method reads default fields: it gets them even if it is
   * marked.
   */
  private int defaultHandle = ReadHandleTable.NONE;

  /** What {@link MessageReader} needs, with the same parameters. */
  ObjectReader(InputHooks hooks, InputBuffer buffer, FormatReader format, boolean embedded) {
    super(buffer, hooks.stream());
    this.hooks = hooks;
    this.format = format;
    this.embedded = embedded;
    littleEndian = format.order() == ByteOrder.LITTLE_ENDIAN;
    blocks = new BlockReader(buffer, format, this);
    filter = new FilterGate(this, embedded);
    types = new TypeReader(this, format, handles);
    typeTable = types.table();
    format.setTypes(typeTable);
    callbacks = new ReadCallbacks(this, handles);
    completion = new Completion(this, handles);
    specials = new SpecialValues(this, format, handles, types);
    values = new ValueReader(this, types, specials, completion);
  }

  /** Where marshalers load primitives from. */
  public InputBuffer buffer() {
    return buffer;
  }

  /** The wire format in use. */
  public FormatReader format() {
    return format;
  }

  /** What {@code readInt} and its like read from. */
  public BlockReader blocks() {
    return blocks;
  }

  /** Whether the format's primitives are little-endian. */
  boolean isLittleEndian() {
    return littleEndian;
  }

  TypeReader types() {
    return types;
  }

  ReadCallbacks callbacks() {
    return callbacks;
  }

  ReadHandleTable handles() {
    return handles;
  }

  /** Any value, by the general way. */
  ValueReader values() {
    return values;
  }

  RunReader runs() {
    if (runs == null) {
      runs = new RunReader(this);
    }
    return runs;
  }

  ShortForms shortForms() {
    if (shortForms == null) {
      shortForms = new ShortForms(this);
    }
    return shortForms;
  }

  /** Room for a number on its way into a field. */
  byte[] scratch() {
    if (scratch == null) {
      scratch = new byte[Long.BYTES];
    }
    return scratch;
  }

  SpecialValues specials() {
    return specials;
  }

  Completion completion() {
    return completion;
  }

  Validations validations() {
    return validations;
  }

  /** How many values are being read within each other. */
  int depth() {
    return depth;
  }

  /** Whether calls within calls would soon take more stack than there is. */
  boolean isDeep() {
    return depth > DEEP;
  }

  int currentHandle() {
    return currentHandle;
  }

  void setCurrentHandle(int handle) {
    currentHandle = handle;
  }

  /* Values. */

  /** Takes resets, which stand between messages only, and returns the token that comes next. */
  int passResets() throws IOException {
    int token = format.peek();
    while (token == Token.RESET || token == Token.RESET_OBJECTS) {
      format.skipToken();
      handleReset(token);
      token = format.peek();
    }
    return token;
  }

  @Override
  public MessageReader passSeam() throws IOException {
    if (depth > 0 || !format.takeSeam()) {
      throw format.misplacedToken();
    }
    return hooks.passSeam();
  }

  private Object readBehindSeam(boolean unshared) throws IOException {
    try {
      return passSeam().readObject(unshared);
    } catch (ClassNotFoundException e) {
      throw ObjectReader.<RuntimeException>sneak(e);
    }
  }

  private IOException noValue(int token) throws IOException {
    return token == Token.END_OF_STREAM ? new EOFException() : format.misplacedToken();
  }

  /** Goes on where another one has stopped, with nothing of what that knew but its counts. */
  void succeed(ObjectReader earlier) {
    filter.succeed(earlier.filter);
  }

  /** Reads a value, in whichever mode the stream is, and leaves its handle to the caller. */
  Object read(boolean unshared) throws IOException {
    boolean mode = blocks.isBlockMode();
    if (mode) {
      if (blocks.left() > 0) {
        throw ValueReader.optionalData(blocks.left());
      }
      if (callbacks.isDataEnded()) {
        throw SerializationFactory.optionalDataException(true);
      }
      blocks.setBlockMode(false);
    }
    int outerDepth = depth;
    try {
      if (!unshared && format.peekObject() >= 0 && isFree()) {
        return readKnown(format.takeObject());
      }
      int token = passResets();
      if (token == Token.ARRAY && !unshared && isFree()) {
        return readNestedArray();
      }
      if (token == Token.SEAM && depth == 0) {
        return readBehindSeam(unshared);
      }
      if (token < Token.NULL) {
        throw noValue(token);
      }
      depth++;
      filter.count(hooks);
      return values.read(token, unshared, mode);
    } finally {
      depth = outerDepth;
      if (embedded && depth == 0) {
        /* What a method has left that failed must not hide its exception. */
        blocks.abandon();
      }
      blocks.setBlockMode(mode);
    }
  }

  /**
   * Reads what a field or array element refers to. For marshalers, which are never in block mode.
   * The object being read is of no use without it.
   *
   * @return the object; null too if it must not be handed out
   */
  public @Nullable Object readReference() throws IOException {
    return readReference(currentHandle);
  }

  @Override
  public @Nullable Object readReference(int owner) throws IOException {
    return readReference(owner, false);
  }

  @Override
  public @Nullable Object readString(int owner) throws IOException {
    String text = takeText();
    return text == null ? readReference(owner, false) : text;
  }

  @Override
  public @Nullable Object readInteger(int owner) throws IOException {
    if (!takesNext(typeTable.integers())) {
      return readReference(owner, false);
    }
    Integer box = BoxReader.nextInteger(buffer);
    handles.assignSettled(box);
    return box;
  }

  @Override
  public @Nullable Object readLong(int owner) throws IOException {
    if (!takesNext(typeTable.longs())) {
      return readReference(owner, false);
    }
    Long box = BoxReader.nextLong(buffer);
    handles.assignSettled(box);
    return box;
  }

  @Override
  public @Nullable Object readDouble(int owner) throws IOException {
    if (!takesNext(typeTable.doubles())) {
      return readReference(owner, false);
    }
    Double box = BoxReader.nextDouble(buffer, littleEndian);
    handles.assignSettled(box);
    return box;
  }

  /**
   * Reads an element of the collection with this handle, where a {@code readObject} method would
   * call the stream.
   *
   * @param after how many elements follow
   * @return null too if the collection is {@link #isMarked} from now on
   */
  @Nullable Object readElement(int owner, int after) throws IOException {
    String text = takeText();
    return text == null ? readOtherElement(owner, after) : text;
  }

  /** Reads a string, if one comes next that can be taken at once; else null. */
  @Nullable String takeText() throws IOException {
    String text = depth > freeDepth ? null : format.takeString();
    if (text != null) {
      handles.assignSettled(text);
    }
    return text;
  }

  /** As {@link #readElement}, where that is no text that can be taken at once. */
  @Nullable Object readOtherElement(int owner, int after) throws IOException {
    int following = buffer.following;
    /* An element takes a byte at least. */
    buffer.following = following + Math.min(after, MOST_AFTER);
    try {
      return readReference(owner, true);
    } finally {
      buffer.following = following;
    }
  }

  private @Nullable Object readReference(int owner, boolean element) throws IOException {
    int number = depth > freeDepth ? FormatReader.NOTHING_TAKEN : format.takeObject();
    return number == FormatReader.NULL_TAKEN ? null : readBelow(owner, number, element);
  }

  /**
   * Reads what an object refers to, and notes that the object is of no use without it.
   *
   * <p>In one piece, so that it is too large for the JIT to be put into the code of each reference:
   * that would have all that lies below put into it again, as deep as references go, and would take
   * the JIT seconds (decision 0023).
   *
   * @param number of the value's type if that has been taken, or {@link FormatReader#NOTHING_TAKEN}
   */
  private @Nullable Object readBelow(int owner, int number, boolean element) throws IOException {
    int outerDepth = depth;
    Object value = null;
    boolean general = false;
    if (number >= 0) {
      depth = outerDepth + 1;
      ObjectAccess whole = number == lastNumber ? lastWhole : typeTable.whole(number);
      value = whole == null ? readStepwise(number) : whole.readNew(this);
    } else if (outerDepth > freeDepth) {
      general = true;
    } else {
      String text = format.takeString();
      if (text != null) {
        handles.assignSettled(text);
        return text;
      }
      value = takeKnown();
      if (value != null) {
        return value;
      }
      switch (format.peek()) {
        case Token.STRING -> {
          text = format.readString();
          handles.assignSettled(text);
          return text;
        }
        case Token.ARRAY -> {
          format.skipToken();
          depth = outerDepth + 1;
          value = values.readArray(types.readRequired(), false);
        }
        case Token.REFERENCE -> {
          value = specials.readBackReference(false);
          handles.depend(owner, currentHandle);
          currentHandle = owner;
          return value;
        }
        default -> general = true;
      }
    }
    if (general) {
      try {
        value = values.read(enter(), false, element);
      } finally {
        depth = outerDepth;
        blocks.setBlockMode(false);
      }
      handles.depend(owner, currentHandle);
    } else {
      depth = outerDepth;
      if (!handles.isQuiet()) {
        handles.depend(owner, currentHandle);
      }
    }
    currentHandle = owner;
    return value;
  }

  /** Reads an array that nobody has to see, one level down. */
  private @Nullable Object readNestedArray() throws IOException {
    format.skipToken();
    depth++;
    Object array = values.readArray(types.readRequired(), false);
    depth--;
    return array;
  }

  /**
   * Whether nobody has to see the object that comes next; the first one of all fixes the filter.
   */
  private boolean isFree() {
    if (depth == 0) {
      filter.fix(hooks);
    }
    return depth <= freeDepth;
  }

  /**
   * Reads a string or a box on behalf of a method that takes part in reading. That needs no class
   * to be found, no method to be called and no dependency to be noted.
   *
   * @return null, and nothing has been read, if something else comes next or somebody has to see it
   */
  @Nullable Object readLeaf() throws IOException {
    if (!blocks.isBetweenBlocks() || callbacks.isDataEnded() || isWatched()) {
      return null;
    }
    Object leaf = format.takeString();
    if (leaf != null) {
      handles.assignSettled(leaf);
    } else {
      BoxReader box = boxesOf(format.peekObject());
      if (box == null) {
        return null;
      }
      format.takeObject();
      int outerHandle = currentHandle;
      leaf = box.readShared(this);
      currentHandle = outerHandle;
    }
    blocks.passValue();
    return leaf;
  }

  /** What reads the boxes of the type with this number; null if it is none of boxes. */
  @Nullable BoxReader boxesOf(int number) {
    return number >= 0 && typeTable.unmarshaler(number) instanceof BoxReader boxes ? boxes : null;
  }

  /** Where a {@code readObject} method would read its first element: no primitives are left. */
  void beginElements() throws IOException {
    if (blocks.left() > 0) {
      throw ValueReader.optionalData(blocks.left());
    }
    blocks.setBlockMode(false);
  }

  /** Whether somebody has to see each value, or the stack has to be spared. */
  boolean isWatched() {
    return depth > freeDepth;
  }

  /** There may be another filter, or the stream replaces objects, or does so no more. */
  void watch() {
    freeDepth = filter.isClosed() || completion.isResolving() ? -1 : DEEP;
  }

  /**
   * Reads an object of a type that has a number, where no filter and no overriding method has to
   * see it.
   */
  @Nullable Object readKnown(int number) throws IOException {
    depth++;
    ObjectAccess whole = number == lastNumber ? lastWhole : whole(number);
    Object value = whole == null ? readStepwise(number) : whole.readNew(this);
    depth--;
    return value;
  }

  private @Nullable ObjectAccess whole(int number) {
    ObjectAccess whole = typeTable.whole(number);
    if (depth == 1 && whole != null) {
      lastNumber = number;
      lastWhole = whole;
    }
    return whole;
  }

  /** Numbers may stand for other types from now on, or for types of another loader. */
  void forgetLast() {
    lastNumber = FormatReader.NOTHING_TAKEN;
    lastWhole = null;
  }

  private @Nullable Object readStepwise(int number) throws IOException {
    Unmarshaler known = typeTable.unmarshaler(number);
    return known == null ? readNumbered(number) : known.readShared(this);
  }

  private @Nullable Object readNumbered(int number) throws IOException {
    Object object = values.readOf(types.numbered(number), false, format.takesAnyKind());
    typeTable.use(number);
    return object;
  }

  /**
   * Reads elements of the array or collection with this handle, as long as they are strings or
   * objects of one class, and need not be read one by one.
   *
   * @param to where the elements end
   * @return the index of the first element that has not been read
   */
  int readRun(Object[] elements, int from, int to, int owner) throws IOException {
    if (isWatched() || from == to) {
      return from;
    }
    int number = format.peekObject();
    if (number < 0) {
      int next = format.takeStrings(elements, from, to);
      handles.assignAllSettled(elements, from, next);
      next = readReferences(elements, next, to);
      return next < to && format.comesRun() ? runs().read(elements, next, to, owner) : next;
    }
    ObjectAccess whole = typeTable.whole(number);
    if (whole == null) {
      Unmarshaler known = typeTable.unmarshaler(number);
      int end = known == null ? from : known.readRun(this, number, elements, from, to);
      currentHandle = owner;
      return end;
    }
    if (to < elements.length) {
      return from;
    }
    depth++;
    int end = whole.readRun(this, number, elements, from, owner);
    depth--;
    return end;
  }

  /** Reads references to objects that are complete, as long as such come next. */
  private int readReferences(Object[] elements, int from, int to) throws IOException {
    int next = from;
    while (next < to) {
      Object known = takeKnown();
      if (known == null) {
        break;
      }
      elements[next++] = known;
    }
    return next;
  }

  /** Reads a reference to an object that is complete, if one comes next; else null. */
  private @Nullable Object takeKnown() throws IOException {
    Object known = handles.settled(format.peekHandle());
    if (known == null || known instanceof ReadType) {
      return null;
    }
    format.readHandle();
    return known;
  }

  /** Whether elements come next that are not watched and can be read together. */
  boolean comesRun() {
    return format.comesRun() && !isWatched();
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
    return number >= 0 && typeTable.whole(number) == maker && enterKnown();
  }

  @Override
  public boolean begins(Class<?> woven) throws IOException {
    int number = isWatched() ? FormatReader.NOTHING_TAKEN : format.peekObject();
    return number >= 0 && typeTable.selfMade(number) == woven && enterKnown();
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
  public void skipReference() throws IOException {
    int owner = currentHandle;
    int outerDepth = depth;
    try {
      values.skip(enter());
    } finally {
      depth = outerDepth;
      blocks.setBlockMode(false);
    }
    currentHandle = owner;
  }

  @Override
  public boolean isIntact(int handle) {
    return handles.failure(handle) == null || handle == defaultHandle;
  }

  /** Reads a value and leaves its handle to the caller. */
  Object readNested(boolean unshared) throws IOException {
    int outerDepth = depth;
    try {
      return values.read(enter(), unshared, false);
    } finally {
      depth = outerDepth;
      blocks.setBlockMode(false);
    }
  }

  /** Goes one level down, to a value that begins with the token returned. */
  int enter() throws IOException {
    int token = format.peek();
    if (token == Token.RESET || token == Token.RESET_OBJECTS) {
      handleReset(token);
    }
    if (token < Token.NULL) {
      throw noValue(token);
    }
    depth++;
    filter.count(hooks);
    return token;
  }

  /** Goes one level up. */
  void leave() {
    depth--;
  }

  /* For marshalers that make objects. */

  /**
   * Gives an object that is being read its handle, before anything that may refer back to it is
   * read.
   */
  void begin(Object object, ReadType type, boolean unshared) {
    currentHandle = handles.assign(unshared ? ReadHandleTable.UNSHARED : object);
    if (type.resolveFailure() != null) {
      handles.mark(currentHandle, type.resolveFailure());
    }
  }

  /** Replaces an object that had a handle before it could be made. */
  void complete(Object object, boolean unshared) {
    if (!unshared) {
      handles.set(currentHandle, object);
    }
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

  /* Methods of a program's classes. */

  /** Whether the object being read will not be handed out. */
  boolean isMarked() {
    return handles.failure(currentHandle) != null;
  }

  /** Reads the fields of the current object that one of its classes declares, straight into it. */
  void readDefaultFields(Object object, Level level) throws IOException {
    int outerDefault = defaultHandle;
    defaultHandle = currentHandle;
    level.access(format.order()).read(this, object, currentHandle);
    defaultHandle = outerDefault;
  }

  /* Filters. */

  void check(Class<?> type, long arrayLength) throws InvalidClassException {
    if (filter.isClosed()) {
      filter.check(type, arrayLength, depth);
    }
  }

  /**
   * Shows the filter a class that an earlier message has described: that message may have been for
   * somebody else.
   *
   * @param type used again
   */
  void checkAgain(ReadType type) throws InvalidClassException {
    filter.checkAgain(type, depth);
  }

  /** Counts a class as a reference one level down, until {@link #leaveType}. */
  void enterType() {
    filter.count(hooks);
    depth++;
  }

  void leaveType() {
    depth--;
  }

  /* The state of the whole stream. */

  @Override
  public boolean isDataEnded() {
    return callbacks.isDataEnded();
  }

  @Override
  public void handleReset(int token) throws IOException {
    if (depth > 0) {
      throw new StreamCorruptedException("unexpected reset; recursion depth: " + depth);
    }
    if (token == Token.RESET) {
      typeTable.clear();
      forgetLast();
    }
    handles.clear();
    validations.clear();
  }

  /** Forgets the objects of a message, and what was under way. */
  void resetObjects() {
    currentHandle = ReadHandleTable.NONE;
    defaultHandle = ReadHandleTable.NONE;
    depth = 0;
    handles.clear();
    validations.clear();
    filter.reset();
  }

  /** Forgets everything that the stream has said. */
  void clear() {
    handles.clear();
    typeTable.clear();
    forgetLast();
    validations.clear();
  }

  /** Throws a checked exception where the signature of an older JDK has none. */
  @SuppressWarnings("unchecked")
  static <T extends Throwable> T sneak(Throwable exception) throws T {
    throw (T) exception;
  }
}
