package io.karmi.uka.engine.read;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.engine.Sneaky;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.Token;
import io.karmi.uka.handle.ReadHandleTable;
import io.karmi.uka.platform.SerializationFactory;
import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.StreamCorruptedException;
import org.jspecify.annotations.Nullable;

/**
 * The reading half of the engine: Java's serialization semantics, in whatever wire format. {@code
 * ObjectWriter} is its mirror image, {@link MessageReader} the stream around it.
 *
 * <p>Objects of classes that are missing are read nevertheless, to no object, so that what follows
 * them can be read; they are marked, and so is what depends on them ({@link ReadHandleTable}).
 *
 * <p>Not thread-safe, as the JDK's streams are not.
 */
public final class ObjectReader extends ObjectSource implements BlockReader.Owner {
  public final InputHooks hooks;
  private final ReadStrategies strategies;
  private final BlockReader blocks;
  private final boolean embedded;
  private final TypeReader types;
  private final FilterGate filter;
  private final Validations validations = new Validations();
  private final Claims claims;
  private final HashCost hashCost;
  private final ReadCallbacks callbacks;
  private final Completion completion;
  private final SpecialValues specials;
  private final ValueReader values;
  private @Nullable RunReader runs;
  private byte @Nullable [] scratch;

  /** What {@link MessageReader} needs, with the same parameters. */
  public ObjectReader(
      InputHooks hooks,
      InputBuffer buffer,
      FormatReader format,
      ReadStrategies strategies,
      boolean embedded) {
    super(buffer, hooks.stream(), format);
    this.strategies = strategies;
    this.hooks = hooks;
    this.embedded = embedded;
    blocks = new BlockReader(buffer, format, this);
    claims = new Claims(buffer, handles);
    hashCost = new HashCost(handles);
    filter = new FilterGate(buffer, embedded);
    types = new TypeReader(this, format, handles, typeTable);
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

  /** What {@code readInt} and its like read from. */
  public BlockReader blocks() {
    return blocks;
  }

  /** How objects of each type are read. */
  public ReadStrategies strategies() {
    return strategies;
  }

  public TypeReader types() {
    return types;
  }

  public ReadCallbacks callbacks() {
    return callbacks;
  }

  /** Any value, by the general way. */
  public ValueReader values() {
    return values;
  }

  public RunReader runs() {
    if (runs == null) {
      runs = new RunReader(this);
    }
    return runs;
  }

  /** Room for a number on its way into a field. */
  public byte[] scratch() {
    if (scratch == null) {
      scratch = new byte[Long.BYTES];
    }
    return scratch;
  }

  public SpecialValues specials() {
    return specials;
  }

  public Completion completion() {
    return completion;
  }

  public Validations validations() {
    return validations;
  }

  public Claims claims() {
    return claims;
  }

  public HashCost hashCost() {
    return hashCost;
  }

  /* Values. */

  /** Takes resets, which stand between messages only, and returns the token that comes next. */
  public int passResets() throws IOException {
    int token = format.peek();
    while (token == Token.RESET || token == Token.RESET_OBJECTS) {
      format.skipToken();
      handleReset(token);
      token = format.peek();
    }
    return token;
  }

  @Override
  public BlockReader passSeam() throws IOException {
    return passToContinuation().blocks();
  }

  private Continuation passToContinuation() throws IOException {
    if (depth > 0 || !format.takeSeam()) {
      throw format.misplacedToken();
    }
    return hooks.passSeam();
  }

  private @Nullable Object readBehindSeam(boolean unshared) throws IOException {
    try {
      return passToContinuation().readObject(unshared);
    } catch (ClassNotFoundException e) {
      throw Sneaky.<RuntimeException>sneak(e);
    }
  }

  private IOException noValue(int token) throws IOException {
    return token == Token.END_OF_STREAM ? new EOFException() : format.misplacedToken();
  }

  /** Goes on where another one has stopped, with nothing of what that knew but its counts. */
  public void succeed(ObjectReader earlier) {
    filter.succeed(earlier.filter);
  }

  /** Reads a value, in whichever mode the stream is, and leaves its handle to the caller. */
  public @Nullable Object read(boolean unshared) throws IOException {
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
      count();
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

  /** Reads a value of one final class, or null, on behalf of a program that takes nothing else. */
  public @Nullable Object readExactly(Class<?> type) throws IOException {
    int outerDepth = depth;
    try {
      int token = passResets();
      if (token < Token.NULL) {
        throw noValue(token);
      }
      depth++;
      count();
      return values.readExactly(type, token);
    } finally {
      depth = outerDepth;
      blocks.abandon();
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

  /**
   * Reads an element of the collection with this handle, where a {@code readObject} method would
   * call the stream.
   *
   * @param after how many elements follow
   * @return null too if the collection is {@link #isMarked} from now on
   */
  public @Nullable Object readElement(int owner, int after) throws IOException {
    String text = takeText();
    return text == null ? readOtherElement(owner, after) : text;
  }

  /** As {@link #readElement}, where that is no text that can be taken at once. */
  public @Nullable Object readOtherElement(int owner, int after) throws IOException {
    int following = buffer.following;
    /* An element takes a byte at least. */
    buffer.following = Claims.following(following, after);
    try {
      return readReference(owner, true);
    } finally {
      buffer.following = following;
    }
  }

  private @Nullable Object readReference(int owner, boolean element) throws IOException {
    int number = isWatched() ? FormatReader.NOTHING_TAKEN : format.takeObject();
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
      ObjectAccess whole = whole(number);
      value = whole == null ? readStepwise(number) : whole.readNew(this);
    } else if (isWatched()) {
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

  /** Reads an array that no hook has to see, one level down. */
  private @Nullable Object readNestedArray() throws IOException {
    format.skipToken();
    depth++;
    Object array = values.readArray(types.readRequired(), false);
    depth--;
    return array;
  }

  /**
   * Whether no hook has to see the object that comes next; the first one of all fixes the filter.
   */
  private boolean isFree() {
    if (depth == 0) {
      fixFilter();
    }
    return !isWatched();
  }

  private void fixFilter() {
    if (filter.fix(hooks)) {
      watch();
    }
  }

  /** Counts a value for the filter; the first one of all fixes it. */
  private void count() {
    fixFilter();
    filter.count();
  }

  /**
   * Reads a string or a box on behalf of a method that takes part in reading. That needs no class
   * to be found, no method to be called and no dependency to be noted.
   *
   * @return null, and nothing has been read, if something else comes next or a hook has to see it
   */
  public @Nullable Object readLeaf() throws IOException {
    if (!blocks.isBetweenBlocks() || callbacks.isDataEnded() || isWatched()) {
      return null;
    }
    Object leaf = format.takeString();
    if (leaf != null) {
      handles.assignSettled(leaf);
    } else {
      LeafReader box = leavesOf(format.peekObject());
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

  /** What reads the leaves of the type with this number; null if it is none of leaves. */
  public @Nullable LeafReader leavesOf(int number) {
    return number >= 0 && typeTable.unmarshaler(number) instanceof LeafReader leaves
        ? leaves
        : null;
  }

  /** Where a {@code readObject} method would read its first element: no primitives are left. */
  public void beginElements() throws IOException {
    if (blocks.left() > 0) {
      throw ValueReader.optionalData(blocks.left());
    }
    blocks.setBlockMode(false);
  }

  /** There may be another filter, or the stream replaces objects, or does so no more. */
  public void watch() {
    setWatched(filter.isClosed() || completion.isResolving());
  }

  /**
   * Reads an object of a type that has a number, where no filter and no overriding method has to
   * see it.
   */
  public @Nullable Object readKnown(int number) throws IOException {
    depth++;
    ObjectAccess whole = wholeOfNext(number);
    Object value = whole == null ? readStepwise(number) : whole.readNew(this);
    depth--;
    return value;
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
  public int readRun(Object[] elements, int from, int to, int owner) throws IOException {
    if (isWatched() || from == to) {
      return from;
    }
    int number = format.peekObject();
    if (number < 0) {
      int next = format.takeStrings(elements, from, to);
      handles.assignAllSettled(elements, from, next);
      next = readReferences(elements, next, to);
      claims.open -= next - from;
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

  /** Reads a value and leaves its handle to the caller. */
  public @Nullable Object readNested(boolean unshared) throws IOException {
    int outerDepth = depth;
    try {
      return values.read(enter(), unshared, false);
    } finally {
      depth = outerDepth;
      blocks.setBlockMode(false);
    }
  }

  /** Goes one level down, to a value that begins with the token returned. */
  public int enter() throws IOException {
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
  public void leave() {
    depth--;
  }

  /* For marshalers that make objects. */

  /* Methods of a program's classes. */

  /** Whether the object being read will not be handed out. */
  public boolean isMarked() {
    return handles.failure(currentHandle) != null;
  }

  /** Reads the fields of the current object that one of its classes declares, straight into it. */
  public void readDefaultFields(Object object, Level level) throws IOException {
    int outerDefault = defaultHandle;
    defaultHandle = currentHandle;
    level.access(format.order()).read(this, object, currentHandle);
    defaultHandle = outerDefault;
  }

  /* Filters. */

  public void check(@Nullable Class<?> type, long arrayLength) throws InvalidClassException {
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
  public void checkAgain(ReadType type) throws InvalidClassException {
    filter.checkAgain(type, depth);
  }

  /** Counts a class as a reference one level down, until {@link #leaveType}. */
  public void enterType() {
    count();
    depth++;
  }

  public void leaveType() {
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
    claims.begin();
    hashCost.begin();
    validations.clear();
  }

  /** Forgets the objects of a message, and what was under way. */
  public void resetObjects() {
    currentHandle = ReadHandleTable.NONE;
    defaultHandle = ReadHandleTable.NONE;
    depth = 0;
    handles.clear();
    claims.begin();
    hashCost.begin();
    validations.clear();
    filter.reset();
    typeTable.beginMessage();
  }

  /** Goes on behind what another one could not read, with the types that were known before that. */
  public void goOnAfter(ObjectReader failed) {
    typeTable.goOnAfter(failed.typeTable);
    filter.goOnAfter(failed.filter);
  }

  /** Forgets everything that the stream has said. */
  public void clear() {
    handles.clear();
    typeTable.clear();
    forgetLast();
    validations.clear();
  }
}
