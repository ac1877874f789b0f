package io.karmi.uka.engine.read.cost;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.handle.ReadHandleTable;
import java.io.IOException;
import java.io.InvalidObjectException;

/**
 * Budget of steps that a message may take in methods of the platform which hash and compare what
 * was read. A step is a look at one object.
 *
 * <p>A message has a fixed budget, and more for each object in it and for its bytes. The source is
 * told of steps that the length of the message does not explain. Not thread-safe.
 */
public final class StepBudget {
  /** Steps of any message: a fraction of a second. */
  private static final long MAXIMUM_STEPS = 1 << 24;

  /** Steps in addition for each handle of the message. */
  private static final long STEPS_PER_HANDLE = 1 << 8;

  /** Steps of a message, and more for each of its handles, of which the source is not told. */
  private static final long FREE_STEPS = 1 << 12;

  private static final long FREE_STEPS_PER_HANDLE = 1 << 4;

  /**
   * Logarithm of the bytes of a message for which it may take a step more: long values that come
   * once pay for themselves ({@link ContentCost}).
   */
  private static final int BYTES_SHIFT = 3;

  private final ReadHandleTable handles;
  private final InputBuffer source;
  private long steps;

  /** Bytes that had passed when the message began. */
  private long bytesBefore;

  /** Objects within each other that no honest message has: to ask them may fill the stack. */
  static final int DEEP = 1 << 8;

  /** Steps that take about as long as to fill the stack of a thread. */
  private static final int STEPS_OF_STACK = 1 << 18;

  /** Whether there is anything to forget: most messages take no steps. */
  private boolean used;

  /** Steps of which the source alone is told: any JVM takes them. */
  private long unlimited;

  /** How many of them the source has been told. */
  private long told;

  public StepBudget(ReadHandleTable handles, InputBuffer source) {
    this.handles = handles;
    this.source = source;
  }

  /** A message begins, and the stream keeps what was noted if it knows objects. */
  void begin() {
    steps = 0;
    unlimited = 0;
    told = 0;
    used = hasObjects();
  }

  /** The bytes of a message begin. */
  public void beginBytes() {
    bytesBefore = source.passedBytes();
  }

  private long stepsOfBytes() {
    return Math.max(0, source.passedBytes() - bytesBefore) >> BYTES_SHIFT;
  }

  /** Whether steps were taken or something was noted for their count, so that it may be old. */
  public boolean isUsed() {
    return used;
  }

  /** Says that something is noted for a count of steps. */
  void use() {
    used = true;
  }

  /** Whether the stream knows objects to which values may refer. */
  boolean hasObjects() {
    return handles.size() > 0;
  }

  /** Steps of the message as far as it has been read. */
  long most() {
    return MAXIMUM_STEPS + STEPS_PER_HANDLE * handles.size() + stepsOfBytes();
  }

  /** Steps that the length of the message explains. */
  long free() {
    return FREE_STEPS + FREE_STEPS_PER_HANDLE * handles.size() + stepsOfBytes();
  }

  /**
   * Counts steps that are about to be taken.
   *
   * @param more that many, or any number beyond the budget
   * @param doing what takes them
   * @throws InvalidObjectException if these are too many
   */
  void add(long more, Class<?> of, String doing) throws InvalidObjectException {
    long most = most();
    use();
    steps = more > most ? most + 1 : steps + more;
    if (steps > most) {
      throw new InvalidObjectException(
          of.getName()
              + ": "
              + doing
              + " would take more than "
              + most
              + " steps, the limit of a message of "
              + handles.size()
              + " objects; send objects that contain each other less often");
    }
    tellSource();
  }

  /** Whether the source bounds what it is told. */
  boolean isBounded() {
    return source.boundsWork();
  }

  /**
   * Counts what it takes until the stack is full, before it is.
   *
   * @throws InvalidObjectException if this is too much for the source
   */
  void tellOfStack() throws InvalidObjectException {
    tell(STEPS_OF_STACK);
  }

  /**
   * Counts steps that a method of the JDK is about to take, and does not limit them for a message:
   * to compare keys of one hash, or until the stack is full.
   *
   * @throws InvalidObjectException if these are too many for the source
   */
  void tell(long more) throws InvalidObjectException {
    use();
    unlimited += more;
    tellSource();
  }

  /**
   * Says that steps are counted by an array of {@code bytes}.
   *
   * @throws IOException if the message may not grow
   */
  void takeMemory(long bytes) throws IOException {
    source.grow(bytes);
  }

  private void tellSource() throws InvalidObjectException {
    long many = steps + unlimited - free();
    if (many > told) {
      long untold = many - told;
      told = many;
      source.work(untold);
    }
  }
}
