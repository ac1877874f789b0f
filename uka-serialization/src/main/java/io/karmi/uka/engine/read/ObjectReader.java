package io.karmi.uka.engine.read;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.engine.CompactNumbers;
import io.karmi.uka.engine.Sneaky;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.Token;
import io.karmi.uka.handle.ReadHandleTable;
import io.karmi.uka.platform.SerializationFactory;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reader of objects, the reading half of the engine: Java's serialization semantics in any wire
 * format. {@code ObjectWriter} is its mirror image, {@link MessageReader} the stream around it.
 *
 * <p>Objects of missing classes are read to their end, and marked with what depends on them ({@link
 * ReadHandleTable}).
 *
 * <p>Not thread-safe, as the JDK's streams are not.
 */
public final class ObjectReader extends ReadContext {
  private final boolean embedded;
  private final KnownTypes known;
  private final TypeReader types;
  private final Completion completion;
  private final SpecialValues specials;
  private final ValueReader values;

  /** As the constructor of {@link MessageReader}. */
  public ObjectReader(
      InputHooks hooks,
      InputBuffer buffer,
      FormatReader format,
      ReadStrategies strategies,
      boolean embedded) {
    this(
        hooks,
        buffer,
        format,
        strategies,
        embedded,
        new KnownTypes(
            new ReadTypeTable(
                new ReadHandleTable(() -> grow(buffer)), format.numbersTypesAsObjects())));
  }

  private static void grow(InputBuffer buffer) {
    try {
      buffer.grow(0);
    } catch (IOException e) {
      throw Sneaky.<RuntimeException>sneak(e);
    }
  }

  private ObjectReader(
      InputHooks hooks,
      InputBuffer buffer,
      FormatReader format,
      ReadStrategies strategies,
      boolean embedded,
      KnownTypes known) {
    super(hooks, buffer, format, known.types(), known, embedded);
    this.embedded = embedded;
    this.known = known;
    format.setTypes(typeTable);
    specials = new SpecialValues(this);
    types = new TypeReader(this, specials);
    completion = new Completion(this);
    values = new ValueReader(this, strategies, types, specials, completion);
  }

  public TypeReader types() {
    return types;
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

  /** Reads resets, which stand between messages only, and returns the next token. */
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

  /** Takes over the counts of another reader, and nothing else. */
  public void succeed(ObjectReader earlier) {
    filter.succeed(earlier.filter);
  }

  @Override
  public @Nullable Object read(boolean unshared) throws IOException {
    boolean mode = blocks.isBlockMode();
    if (mode) {
      if (blocks.left() > 0) {
        throw SerializationFactory.optionalDataException(blocks.left());
      }
      if (blocks.isDataEnded()) {
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
      if (token == Token.OBJECT && !unshared && isFree() && format.peekObject() >= 0) {
        /* The first of a frame, of which nothing was here before. */
        return readKnown(format.takeObject());
      }
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
      boolean failedBelow = depth > outerDepth + 1;
      depth = outerDepth;
      if (embedded && depth == 0) {
        /* What a method has left that failed must not hide its exception. */
        blocks.abandon();
      } else if (failedBelow) {
        /* As with the JDK, where a part of the object has failed, the part's block ends. */
        blocks.setBlockMode(false);
      }
      blocks.setBlockMode(mode);
    }
  }

  /** Reads a value of exactly this class, or null, for a program. */
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
   * Reads the reference of a field or element, on which the current object depends. For marshalers,
   * which are never in block mode.
   *
   * @return the object; also null if it is marked
   */
  public @Nullable Object readReference() throws IOException {
    return readReference(currentHandle);
  }

  @Override
  public @Nullable Object readReference(int owner) throws IOException {
    return readReference(owner, false);
  }

  @Override
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
   * Reads the reference of an object, which depends on it.
   *
   * <p>In one piece, so that it is too large to be inlined: the JIT would inline all that lies
   * below, as deep as references go, and take seconds (decision 0023).
   *
   * @param number of the value's type if that has been read, or {@link FormatReader#NOTHING_TAKEN}
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
        blocks.setBlockMode(false);
      } finally {
        depth = outerDepth;
        if (!element) {
          /* What a collection's readObject meets in place of an element is still unread. */
          blocks.setBlockMode(false);
        }
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

  /** Reads an array that no hook observes, one level down. */
  private @Nullable Object readNestedArray() throws IOException {
    format.skipToken();
    depth++;
    Object array = values.readArray(types.readRequired(), false);
    depth--;
    return array;
  }

  /** Whether no hook observes the next object. The outermost one fixes the filter. */
  private boolean isFree() {
    if (depth == 0) {
      fixFilter();
    }
    return !isWatched();
  }

  /**
   * Reads a string or a box for a {@code readObject} method: no class to find, no method to call
   * and no dependency to note.
   *
   * @return null, and nothing has been read, if something else comes next or a hook observes it
   */
  public @Nullable Object readLeaf() throws IOException {
    if (!blocks.isBetweenBlocks() || blocks.isDataEnded() || isWatched()) {
      return null;
    }
    Object leaf = format.takeString();
    if (leaf != null) {
      handles.assignSettled(leaf);
    } else if (format.takesObject(known.integers)) {
      /* The most frequent box, without a virtual call. */
      leaf = CompactNumbers.nextInteger(buffer);
      handles.assignSettled(leaf);
    } else {
      LeafReader box = LeafReader.of(this, format.peekObject());
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

  @Override
  @Nullable ReadPlan planOf(int number) {
    return number < 0 ? null : known.unmarshaler(number);
  }

  @Override
  void use(ReadType type) {
    if (type.number() >= 0) {
      known.use(type.number());
    }
  }

  @Override
  void watch() {
    setWatched(filter.isClosed() || completion.isResolving());
  }

  /** Reads an object of a type that has a number, and that no hook observes. */
  public @Nullable Object readKnown(int number) throws IOException {
    depth++;
    ObjectAccess whole = wholeToRead(number);
    Object value = whole == null ? readStepwise(number) : whole.readNew(this);
    depth--;
    return value;
  }

  private @Nullable Object readStepwise(int number) throws IOException {
    Unmarshaler unmarshaler = known.unmarshaler(number);
    return unmarshaler == null ? readNumbered(number) : unmarshaler.readShared(this);
  }

  private @Nullable Object readNumbered(int number) throws IOException {
    Object object = values.readOf(types.numbered(number), false, format.takesAnyKind());
    known.use(number);
    return object;
  }

  @Override
  public int readRun(Object[] elements, int from, int to, int owner) throws IOException {
    if (isWatched() || from == to) {
      return from;
    }
    int number = format.peekObject();
    if (number < 0) {
      /* Strings get numbers after they have been stored, so the array must take them. */
      boolean holdsStrings = elements.getClass().getComponentType().isInstance("");
      int next = holdsStrings ? format.takeStrings(elements, from, to) : from;
      handles.assignAllSettled(elements, from, next);
      next = readReferences(elements, next, to);
      claims.open -= next - from;
      return next < to && format.comesRun() ? readPacked(elements, next, to, owner) : next;
    }
    ObjectAccess whole = known.whole(number);
    if (whole == null) {
      Unmarshaler unmarshaler = known.unmarshaler(number);
      int end =
          unmarshaler == null || !unmarshaler.isLeaf()
              ? from
              : RunReader.readLeaves(this, unmarshaler, number, elements, from, to);
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

  @Override
  public int readPacked(@Nullable Object[] elements, int from, int to, int owner)
      throws IOException {
    return RunReader.read(this, elements, from, to, owner);
  }

  @Override
  public @Nullable Object readOf(ReadType type, boolean unshared, boolean ofAnyKind)
      throws IOException {
    return values.readOf(type, unshared, ofAnyKind);
  }

  @Override
  public @Nullable Object finish(ReadType type, @Nullable Object object, boolean unshared)
      throws IOException {
    return completion.finish(type, object, unshared);
  }

  @Override
  public ReadType numbered(int number) throws IOException {
    return types.numbered(number);
  }

  /** Reads references to complete objects, as long as such come next. */
  private int readReferences(Object[] elements, int from, int to) throws IOException {
    int next = from;
    while (next < to) {
      Object object = takeKnown();
      if (object == null) {
        break;
      }
      elements[next++] = object;
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

  @Override
  public @Nullable Object readNested(boolean unshared) throws IOException {
    int outerDepth = depth;
    try {
      return values.read(enter(), unshared, false);
    } finally {
      depth = outerDepth;
      blocks.setBlockMode(false);
    }
  }

  /** Takes over the types that another reader knew before the message that it could not read. */
  public void goOnAfter(ObjectReader failed) {
    typeTable.goOnAfter(failed.typeTable);
    format().goOnAfter(failed.format());
    filter.goOnAfter(failed.filter);
  }
}
