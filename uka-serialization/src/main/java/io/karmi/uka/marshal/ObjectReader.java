package io.karmi.uka.marshal;

import io.karmi.uka.buffer.FrameInput;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.Token;
import io.karmi.uka.handle.ReadHandleTable;
import io.karmi.uka.marshal.access.FieldAccess;
import io.karmi.uka.marshal.access.FieldSource;
import io.karmi.uka.marshal.access.SerializationFactory;
import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.NotActiveException;
import java.io.ObjectInputStream;
import java.io.ObjectInputValidation;
import java.io.ObjectStreamClass;
import java.io.OptionalDataException;
import java.io.StreamCorruptedException;
import java.io.WriteAbortedException;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The reading half of the engine: Java's serialization semantics, in whatever wire format. {@link
 * ObjectWriter} is its mirror image, and explains block mode.
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

  final InputHooks hooks;
  private final FormatReader format;
  private final BlockReader blocks;
  private final boolean embedded;
  private final boolean littleEndian;
  private final ReadHandleTable handles = new ReadHandleTable();
  private final TypeReader types;
  private final FilterGate filter = new FilterGate();
  private final Validations validations = new Validations();
  private final ReadCallbacks callbacks;
  private int currentHandle = ReadHandleTable.NONE;
  private int depth;

  /**
   * The object whose {@code readObject} method reads default fields: it gets them even if it is
   * marked.
   */
  private int defaultHandle = ReadHandleTable.NONE;

  private boolean resolving;
  private boolean closed;

  /** Number of the message that is read; embedded streams count them. */
  private int message;

  /** For a class that makes its objects itself: whether the next one is unshared. */
  private boolean registersUnshared;

  /**
   * An engine for one stream.
   *
   * @param embedded whether the caller frames messages itself: then nothing but values is read
   */
  public ObjectReader(InputHooks hooks, InputBuffer buffer, FormatReader format, boolean embedded) {
    super(buffer);
    this.hooks = hooks;
    this.format = format;
    this.embedded = embedded;
    littleEndian = format.order() == ByteOrder.LITTLE_ENDIAN;
    blocks = new BlockReader(buffer, format, this);
    types = new TypeReader(this, format, handles);
    callbacks = new ReadCallbacks(this, handles);
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

  int currentHandle() {
    return currentHandle;
  }

  void setCurrentHandle(int handle) {
    currentHandle = handle;
  }

  /** Begins the stream's body, where a program's primitives are in blocks. */
  public void start() {
    blocks.setBlockMode(!embedded);
  }

  /* Values. */

  /**
   * Reads one object on behalf of a program: between objects or from a method of one of its
   * classes.
   *
   * @param unshared whether nothing else may refer to it
   */
  public Object readObject(boolean unshared) throws IOException, ClassNotFoundException {
    if (depth > 0) {
      return readWithin(unshared);
    }
    buffer.beginMessage();
    try {
      findCaller();
      return readOnBehalf(unshared);
    } finally {
      types.setCaller(null);
      buffer.endMessage();
      if (closed) {
        clear();
      }
    }
  }

  /** Reads one object for a method that takes part in reading another. */
  private Object readWithin(boolean unshared) throws IOException, ClassNotFoundException {
    ClassLoader outer = callbacks.enter();
    try {
      if (!callbacks.isForeign()) {
        findCaller();
      }
      return readOnBehalf(unshared);
    } finally {
      types.setCaller(outer);
    }
  }

  /**
   * Looks for the program's code while it is near on the stack, if a class of its own seems to
   * come.
   */
  private void findCaller() throws IOException, ClassNotFoundException {
    if (blocks.left() > 0 || callbacks.isDataEnded() || hooks.overridesResolveClass()) {
      return;
    }
    int token = format.peek();
    boolean seems =
        token == Token.OBJECT
            ? ClassFinder.asksVm() || format.announcesClass()
            : token == Token.ARRAY && format.announcesClass();
    if (seems) {
      types.setCaller(ClassFinder.callingLoader(hooks));
    }
  }

  private Object readOnBehalf(boolean unshared) throws IOException, ClassNotFoundException {
    int outerHandle = currentHandle;
    try {
      Object object = read(unshared);
      handles.depend(outerHandle, currentHandle);
      ClassNotFoundException failure = handles.failure(currentHandle);
      if (failure != null) {
        throw failure;
      }
      if (depth == 0) {
        validations.run();
        VarHandle.storeStoreFence();
      }
      return object;
    } finally {
      currentHandle = outerHandle;
    }
  }

  /** Reads a value, in whichever mode the stream is, and leaves its handle to the caller. */
  Object read(boolean unshared) throws IOException {
    boolean mode = blocks.isBlockMode();
    if (mode) {
      if (blocks.left() > 0) {
        throw optionalData(blocks.left());
      }
      if (callbacks.isDataEnded()) {
        throw SerializationFactory.optionalDataException(true);
      }
      blocks.setBlockMode(false);
    }
    int outerDepth = depth;
    try {
      int token = format.peek();
      if ((token == Token.OBJECT || token == Token.ARRAY) && !unshared && isFree()) {
        int number = format.takeObject();
        if (number >= 0) {
          return readKnown(number);
        }
        if (token == Token.ARRAY) {
          return readNestedArray();
        }
      }
      while (token == Token.RESET || token == Token.RESET_OBJECTS) {
        format.skipToken();
        handleReset(token);
        token = format.peek();
      }
      if (token == Token.END_OF_STREAM) {
        throw new EOFException();
      }
      depth++;
      filter.count(hooks);
      return readValue(token, unshared, mode);
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
  public Object readReference() throws IOException {
    return readReference(currentHandle);
  }

  @Override
  public @Nullable Object readReference(int owner) throws IOException {
    return readReference(owner, false);
  }

  /**
   * Reads an element of the collection with this handle, where a {@code readObject} method would
   * call the stream.
   *
   * @return null too if the collection is {@link #isMarked} from now on
   */
  @Nullable Object readElement(int owner) throws IOException {
    return readReference(owner, true);
  }

  private @Nullable Object readReference(int owner, boolean element) throws IOException {
    if (isWatched()) {
      return readDependent(owner, element);
    }
    int number = format.takeObject();
    if (number >= 0) {
      return owned(owner, readKnown(number));
    }
    return number == FormatReader.NULL_TAKEN ? null : readOther(owner, element);
  }

  /* Apart, so that the JIT has room to put the frequent cases into the code of each class. */
  private @Nullable Object readOther(int owner, boolean element) throws IOException {
    switch (format.peek()) {
      case Token.STRING:
        String text = format.readString();
        handles.assignSettled(text);
        return text;
      case Token.ARRAY:
        return owned(owner, readNestedArray());
      default:
        return readDependent(owner, element);
    }
  }

  /** Reads an array that nobody has to see, one level down. */
  private @Nullable Object readNestedArray() throws IOException {
    format.skipToken();
    depth++;
    Object array = readArray(false);
    depth--;
    return array;
  }

  /** Notes that an object is of no use without the value that has been read, and returns that. */
  private @Nullable Object owned(int owner, @Nullable Object value) {
    if (!handles.isQuiet()) {
      handles.depend(owner, currentHandle);
    }
    currentHandle = owner;
    return value;
  }

  /**
   * Whether nobody has to see the object that comes next; the first one of all fixes the filter.
   */
  private boolean isFree() {
    if (depth == 0) {
      filter.fix(hooks);
    }
    return !isWatched();
  }

  /** Where a {@code readObject} method would read its first element: no primitives are left. */
  void beginElements() throws IOException {
    if (blocks.left() > 0) {
      throw optionalData(blocks.left());
    }
    blocks.setBlockMode(false);
  }

  /** Whether somebody has to see each value, or the stack has to be spared. */
  boolean isWatched() {
    return resolving || filter.isClosed() || depth > DEEP;
  }

  private Object readDependent(int owner, boolean element) throws IOException {
    Object value = readNested(false, element);
    handles.depend(owner, currentHandle);
    currentHandle = owner;
    return value;
  }

  /**
   * Reads an object of a type that has a number, where no filter and no overriding method has to
   * see it.
   */
  private @Nullable Object readKnown(int number) throws IOException {
    depth++;
    FieldAccess whole = types.whole(number);
    Object value = whole == null ? readNumbered(number) : whole.readNew(this);
    depth--;
    return value;
  }

  private @Nullable Object readNumbered(int number) throws IOException {
    DirectReader direct = types.direct(number);
    if (direct != null) {
      return direct.readShared(this);
    }
    Object object = readOf(types.numbered(number), false);
    types.useDirectReader(number);
    return object;
  }

  /**
   * Reads elements of the array with this handle, as long as they are objects of one class that are
   * read as a whole.
   *
   * @return the index of the first element that has not been read
   */
  int readRun(Object[] array, int from, int owner) throws IOException {
    int number = isWatched() ? FormatReader.NOTHING_TAKEN : format.peekObject();
    FieldAccess whole = number < 0 ? null : types.whole(number);
    if (whole == null) {
      return from;
    }
    depth++;
    int end = whole.readRun(this, number, array, from, owner);
    depth--;
    return end;
  }

  @Override
  public boolean takesNext(int number) throws IOException {
    if (isWatched() || format.peekObject() != number) {
      return false;
    }
    format.takeObject();
    return true;
  }

  @Override
  public void own(int owner) {
    owned(owner, null);
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
    readNested(false);
    currentHandle = owner;
  }

  @Override
  public boolean isIntact(int handle) {
    return handle == defaultHandle || handles.failure(handle) == null;
  }

  /** Reads a value and leaves its handle to the caller. */
  Object readNested(boolean unshared) throws IOException {
    return readNested(unshared, false);
  }

  private Object readNested(boolean unshared, boolean element) throws IOException {
    int outerDepth = depth;
    try {
      return readValue(enter(), unshared, element);
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
    if (token == Token.END_OF_STREAM) {
      throw new EOFException();
    }
    depth++;
    filter.count(hooks);
    return token;
  }

  /** Goes one level up. */
  void leave() {
    depth--;
  }

  Object readValue(int token, boolean unshared, boolean mode) throws IOException {
    switch (token) {
      case Token.NULL:
        format.skipToken();
        currentHandle = ReadHandleTable.NONE;
        return null;
      case Token.REFERENCE:
        return readBackReference(unshared);
      case Token.OBJECT:
        format.skipToken();
        return resolve(readOf(types.readRequired(), unshared));
      case Token.STRING:
        return resolve(readString(unshared));
      case Token.ARRAY:
        format.skipToken();
        return resolve(readArray(unshared));
      case Token.ENUM:
        format.skipToken();
        return resolve(readConstant(unshared));
      case Token.CLASS:
        format.skipToken();
        return readClass(unshared);
      case Token.DESCRIPTION:
        format.skipToken();
        return readDescriptor(unshared);
      case Token.EXCEPTION:
        format.skipToken();
        throw new WriteAbortedException("writing aborted", readFailure());
      case Token.BLOCK:
        if (!mode) {
          throw new StreamCorruptedException("unexpected block data");
        }
        blocks.setBlockMode(true);
        blocks.peekBlock();
        throw optionalData(blocks.left());
      case Token.END_OF_BLOCKS:
        if (!mode) {
          throw new StreamCorruptedException("unexpected end of block data");
        }
        throw SerializationFactory.optionalDataException(true);
      default:
        throw new StreamCorruptedException("unexpected token: " + token);
    }
  }

  private static OptionalDataException optionalData(int length) {
    OptionalDataException exception = SerializationFactory.optionalDataException(false);
    exception.length = length;
    return exception;
  }

  private Object readBackReference(boolean unshared) throws IOException {
    int handle = format.readHandle();
    checkHandle(handle);
    currentHandle = handle;
    if (unshared) {
      throw new InvalidObjectException("cannot read back reference as unshared");
    }
    Object object = handles.get(handle);
    if (object == ReadHandleTable.UNSHARED) {
      throw new InvalidObjectException("cannot read back reference to unshared object");
    }
    check(null, -1);
    return object instanceof ReadType type ? descriptor(type) : object;
  }

  void checkHandle(int handle) throws StreamCorruptedException {
    if (handle < 0 || handle >= handles.size()) {
      throw format.invalidHandle(handle);
    }
  }

  private String readString(boolean unshared) throws IOException {
    String text = format.readString();
    currentHandle = handles.assign(unshared ? ReadHandleTable.UNSHARED : text);
    handles.finish(currentHandle);
    return text;
  }

  /** Reads a string that is part of something else; null if the stream says so. */
  @Nullable String readName() throws IOException {
    int outerHandle = currentHandle;
    int token = format.peek();
    Object name =
        switch (token) {
          case Token.STRING -> readString(false);
          case Token.REFERENCE -> readBackReference(false);
          case Token.NULL -> {
            format.skipToken();
            yield null;
          }
          default -> throw format.misplacedToken();
        };
    if (name != null && !(name instanceof String)) {
      throw new StreamCorruptedException("a reference to a name is one to something else");
    }
    currentHandle = outerHandle;
    return (String) name;
  }

  private Class<?> readClass(boolean unshared) throws IOException {
    ReadType type = types.readRequired();
    Class<?> value = type.type();
    currentHandle = handles.assign(unshared ? ReadHandleTable.UNSHARED : value);
    markMissing(type);
    handles.finish(currentHandle);
    return value;
  }

  private ObjectStreamClass readDescriptor(boolean unshared) throws IOException {
    ReadType type = types.read(unshared);
    return type == null ? null : descriptor(type);
  }

  private static ObjectStreamClass descriptor(ReadType type) throws IOException {
    type.checkBound();
    try {
      return type.streamClass();
    } catch (ClassNotFoundException e) {
      throw new InvalidClassException("failed to make class descriptor: " + e.getMessage());
    }
  }

  private void markMissing(ReadType type) {
    if (type.resolveFailure() != null) {
      handles.mark(currentHandle, type.resolveFailure());
    }
  }

  private @Nullable Object readArray(boolean unshared) throws IOException {
    return readArrayOf(types.readRequired(), unshared);
  }

  private @Nullable Object readArrayOf(ReadType type, boolean unshared) throws IOException {
    Object array =
        depth > DEEP
            ? DeepReader.read(this, ArrayReader.begin(this, type, readLength(type), unshared))
            : ArrayReader.read(this, type, readLength(type), unshared);
    handles.finish(currentHandle);
    return array;
  }

  /** Begins an array that {@link DeepReader} completes. */
  DeepReader.Half beginArray(boolean unshared) throws IOException {
    return beginArrayOf(types.readRequired(), unshared);
  }

  private DeepReader.Half beginArrayOf(ReadType type, boolean unshared) throws IOException {
    return ArrayReader.begin(this, type, readLength(type), unshared);
  }

  int readLength(ReadType type) throws IOException {
    int length = format.readLength();
    if (length < 0) {
      throw new StreamCorruptedException("Array length is negative");
    }
    check(type.type(), length);
    return length;
  }

  private @Nullable Enum<?> readConstant(boolean unshared) throws IOException {
    return readConstantOf(types.readRequired(), unshared);
  }

  @Nullable Enum<?> readConstantOf(ReadType type, boolean unshared) throws IOException {
    if (!type.isEnum()) {
      throw new InvalidClassException("non-enum class: " + descriptor(type));
    }
    int handle = handles.assign(unshared ? ReadHandleTable.UNSHARED : null);
    currentHandle = handle;
    markMissing(type);
    Enum<?> constant = readConstantContent(type);
    currentHandle = handle;
    if (!unshared) {
      handles.set(handle, constant);
    }
    handles.finish(handle);
    return constant;
  }

  /** Reads which constant it is; null if there is no such enum here. */
  @Nullable Enum<?> readConstantContent(ReadType type) throws IOException {
    if (format.numbersConstants()) {
      int number = format.readConstant(type.constantNames());
      return type.type() == null ? null : type.constant(number);
    }
    if (format.peek() != Token.STRING) {
      throw format.misplacedToken();
    }
    String name = readString(false);
    return type.type() == null ? null : type.constant(name);
  }

  /**
   * Reads an object of a type that has been read, or an array or constant where the format allows
   * that.
   */
  @Nullable Object readOf(ReadType type, boolean unshared) throws IOException {
    if (format.opensAllByType()) {
      if (type.isArray()) {
        return readArrayOf(type, unshared);
      }
      if (type.isEnum()) {
        return readConstantOf(type, unshared);
      }
    }
    return readObjectOf(checkObjectType(type), unshared);
  }

  /**
   * Begins an object or array, whose type comes next, if {@link DeepReader} can complete it.
   *
   * @param type as {@link TypeReader#readRequired} returns it
   * @return null, and no more than the type has been read, if not
   */
  DeepReader.@Nullable Half beginOf(ReadType type, boolean unshared) throws IOException {
    if (format.opensAllByType()) {
      if (type.isArray()) {
        return beginArrayOf(type, unshared);
      }
      if (type.isEnum()) {
        return null;
      }
    }
    return checkObjectType(type).unmarshaler().begin(this, unshared);
  }

  private static ReadType checkObjectType(ReadType type) throws InvalidClassException {
    type.checkDeserializable();
    Class<?> known = type.type();
    if (known == String.class || known == Class.class || known == ObjectStreamClass.class) {
      throw new InvalidClassException("invalid class descriptor");
    }
    return type;
  }

  /** Reads an ordinary object whose type has been read. */
  Object readObjectOf(ReadType type, boolean unshared) throws IOException {
    Unmarshaler unmarshaler = type.unmarshaler();
    DeepReader.Half half = depth > DEEP ? unmarshaler.begin(this, unshared) : null;
    Object object =
        half == null ? unmarshaler.unmarshal(this, unshared) : DeepReader.read(this, half);
    return finish(type, object, unshared);
  }

  /** Ends an object or array whose data has been read: its own class may replace it. */
  Object finish(ReadType type, Object object, boolean unshared) throws IOException {
    handles.finish(currentHandle);
    if (object != null && type.hasReadResolve() && handles.failure(currentHandle) == null) {
      return readResolve(type, object, unshared);
    }
    return object;
  }

  private Object readResolve(ReadType type, Object object, boolean unshared) throws IOException {
    int handle = currentHandle;
    Object replacement = type.local().hooks().readResolve(object);
    currentHandle = handle;
    if (unshared && replacement.getClass().isArray()) {
      replacement = ArrayReader.copy(replacement);
    }
    if (replacement != object) {
      checkReplacement(replacement);
      handles.set(handle, replacement);
    }
    return replacement;
  }

  /** Lets the program's stream replace an object that has been read. */
  Object resolve(Object object) throws IOException {
    if (!resolving || handles.failure(currentHandle) != null) {
      return object;
    }
    Object replacement = hooks.resolveObject(object);
    if (replacement != object) {
      checkReplacement(replacement);
      handles.set(currentHandle, replacement);
    }
    return replacement;
  }

  private void checkReplacement(Object replacement) throws InvalidClassException {
    if (replacement != null) {
      Class<?> type = replacement.getClass();
      check(type, type.isArray() ? Array.getLength(replacement) : -1);
    }
  }

  /* For marshalers that make objects. */

  /**
   * Gives an object that is being read its handle, before anything that may refer back to it is
   * read.
   */
  void begin(Object object, ReadType type, boolean unshared) {
    currentHandle = handles.assign(unshared ? ReadHandleTable.UNSHARED : object);
    markMissing(type);
  }

  /** Replaces an object that had a handle before it could be made. */
  void complete(Object object, boolean unshared) {
    if (!unshared) {
      handles.set(currentHandle, object);
    }
  }

  Object readAware(Class<?> type, boolean unshared) throws IOException {
    registersUnshared = unshared;
    int before = handles.size();
    try {
      Object object = hooks.unmarshalAware(type);
      if (handles.size() == before) {
        throw new InvalidClassException(
            type.getName(), "its unmarshalling constructor does not call register(this)");
      }
      return object;
    } catch (ClassNotFoundException e) {
      handles.mark(currentHandle, e);
      return null;
    }
  }

  /** Gives an object that its own class is making its handle (paper 3.7). */
  public void register(Object object) {
    currentHandle = handles.assign(registersUnshared ? ReadHandleTable.UNSHARED : object);
    registersUnshared = false;
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

  /** {@link ObjectInputStream#defaultReadObject}. */
  public void defaultReadObject() throws IOException, ClassNotFoundException {
    callbacks.defaultReadObject();
  }

  /** {@link ObjectInputStream#readFields}. */
  public ObjectInputStream.GetField readFields() throws IOException {
    return callbacks.readFields();
  }

  /** {@link ObjectInputStream#registerValidation}. */
  public void registerValidation(ObjectInputValidation validation, int priority)
      throws NotActiveException, InvalidObjectException {
    if (depth == 0) {
      throw new NotActiveException("stream inactive");
    }
    validations.add(validation, priority);
  }

  /* Filters. */

  void check(Class<?> type, long arrayLength) throws InvalidClassException {
    if (filter.isClosed()) {
      filter.check(type, arrayLength, depth, consumedBytes());
    }
  }

  private long consumedBytes() {
    return buffer instanceof FrameInput frames ? frames.consumedBytes() : buffer.position;
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

  private IOException readFailure() throws IOException {
    clear();
    /* What was to follow does not. */
    buffer.following = 0;
    int token = format.peek();
    if (token != Token.OBJECT && token != Token.REFERENCE) {
      throw format.misplacedToken();
    }
    IOException failure = (IOException) read(false);
    clear();
    return failure;
  }

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
      types.clear();
    }
    handles.clear();
    validations.clear();
  }

  /**
   * Forgets the objects of a message and keeps the types (the second reset of paper 3.3). For
   * embedded streams, whose messages are framed by the caller; else the reset is in the bytes.
   */
  public void resetObjects() {
    currentHandle = ReadHandleTable.NONE;
    defaultHandle = ReadHandleTable.NONE;
    depth = 0;
    callbacks.clear();
    handles.clear();
    validations.clear();
    filter.reset();
    message++;
    if (blocks.isBlockMode() && embedded) {
      blocks.abandon();
    }
  }

  /**
   * Looks for all classes again, of which the stream has told: the message to come may be for
   * another class loader.
   */
  public void rebindTypes() throws IOException {
    types.setCaller(null);
    types.rebind();
  }

  /**
   * Shows the filter a class that an earlier message has described: that message may have been for
   * somebody else.
   *
   * @param type used again
   */
  void checkAgain(ReadType type) throws InvalidClassException {
    if (embedded && filter.isClosed()) {
      for (ReadType level = type;
          level != null && level.enter(message);
          level = level.superclass()) {
        if (level.type() != null) {
          check(level.type(), -1);
        }
      }
    }
  }

  /**
   * Forgets everything when the stream has been closed; in the middle of an object once that has
   * been read.
   */
  public void close() {
    closed = true;
    blocks.abandon();
    if (depth == 0) {
      clear();
    }
  }

  private void clear() {
    handles.clear();
    types.clear();
    validations.clear();
  }

  /** {@code ObjectInputStream.enableResolveObject}. */
  public boolean enableResolve(boolean enable) {
    boolean before = resolving;
    resolving = enable;
    return before;
  }

  /** Reads a class descriptor as the stream does if the program does not override that. */
  public ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
    return types.readUnbound();
  }

  /** Throws a checked exception where the signature of an older JDK has none. */
  @SuppressWarnings("unchecked")
  static <T extends Throwable> T sneak(Throwable exception) throws T {
    throw (T) exception;
  }
}
