package io.karmi.marshal;

import io.karmi.guard.Ledger;
import io.karmi.guard.ProxyClasses;
import io.karmi.id.ObjectId;
import io.karmi.uka.buffer.InputBuffer;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Input from which skeletons read arguments, and callers results: the mirror image of {@link
 * CallOutput}.
 *
 * <p>A technology keeps one per connection. Not thread-safe: it belongs to the thread that uses the
 * connection.
 */
public final class CallInput {
  /** Steps of the sender's host for classes that are made: that takes about a millisecond. */
  private static final long STEPS_OF_CLASSES = 1 << 16;

  /** The technology's memory; skeletons may load from it as an unmarshaler does. */
  public final InputBuffer buffer;

  private final CallFormat format;
  private final RemoteTranslation translation;
  private final ArrayList<Object> arrived = new ArrayList<>(0);

  /** Whether any references have arrived; so that the list need not be read. */
  private boolean referencesArrived;

  private @Nullable ObjectUnmarshaler unmarshaler;
  private @Nullable ClassLoader defaultLoader;
  private @Nullable ObjectInputFilter filter;
  private boolean objectsRead;
  private boolean argumentsEnded;
  private boolean registering;
  private boolean renewalWanted;
  private boolean typesFull;

  /** Whether the peer has described types since they were counted last. */
  private boolean typesGrew;

  /** About how many bytes its types take, and how many of these are counted. */
  private long typeBytes;

  private long typeBytesKept;

  /** Counts what the connection keeps for its peer; null if that is not counted. */
  private Ledger.@Nullable Account tables;

  /** Whether messages may follow that the peer has written before it could learn of a renewal. */
  private boolean pipelined;

  /** The owner of this input, which a caller gives back when it has read the reply. */
  private @Nullable Lender lender;

  private @Nullable Object attachment;
  private @Nullable Consumer<ObjectId> arrivals;

  /** The owner of an input that is lent to the caller while it reads a reply. */
  public interface Lender {
    /** All arguments of a call have been read. */
    default void argumentsRead() {}

    /**
     * Takes back a reply that has been read, in any case, and acknowledges its references.
     *
     * @throws IOException if there are bytes left in it
     */
    void finish() throws IOException;

    /** Takes back a reply that could not be read to its end. */
    void abandon();

    /**
     * The lost connection behind an error of the JVM, or the error itself. In shared memory a
     * mapping may vanish, which the JVM reports by an error at a later moment.
     */
    default Throwable lossBy(InternalError error) {
      return error;
    }
  }

  /** Made by a technology, one per connection. */
  public CallInput(InputBuffer buffer, CallFormat format, RemoteTranslation translation) {
    this.buffer = buffer;
    this.format = format;
    this.translation = translation;
  }

  /** Sets to whom callers give it back. */
  public void lentBy(Lender owner) {
    lender = owner;
  }

  /** To whom a caller gives it back. */
  public Lender lender() {
    return Objects.requireNonNull(lender, "not lent to a caller");
  }

  /** Sets where the memory of the peer's types is counted. */
  public void keepTypesIn(Ledger.Account memory) {
    tables = memory;
  }

  /**
   * The proxy class of a list of interfaces that the peer has named.
   *
   * @throws InvalidObjectException if too many are made for its host
   */
  Class<?> proxyClass(String[] interfaces) throws ClassNotFoundException, InvalidObjectException {
    Class<?> proxy = translation.resolveProxyClass(interfaces, defaultLoader());
    if (ProxyClasses.isMadeEachTime(proxy)) {
      countClasses();
    }
    return proxy;
  }

  /**
   * Counts classes that are made for this message.
   *
   * @throws InvalidObjectException if there are too many for the host of the peer
   */
  public void countClasses() throws InvalidObjectException {
    buffer.work(STEPS_OF_CLASSES);
  }

  /** Takes a boolean. */
  public boolean readBoolean() throws IOException {
    return buffer.readBoolean();
  }

  /** Takes a byte. */
  public byte readByte() throws IOException {
    return buffer.readByte();
  }

  /** Takes a char. */
  public char readChar() throws IOException {
    return buffer.readChar();
  }

  /** Takes a short. */
  public short readShort() throws IOException {
    return buffer.readShort();
  }

  /** Takes an int. */
  public int readInt() throws IOException {
    return buffer.readInt();
  }

  /** Takes a long. */
  public long readLong() throws IOException {
    return buffer.readLong();
  }

  /** Takes a float. */
  public float readFloat() throws IOException {
    return buffer.readFloat();
  }

  /** Takes a double. */
  public double readDouble() throws IOException {
    return buffer.readDouble();
  }

  /** Takes a primitive of this many bytes; a number of fewer than 8 keeps its sign. */
  public long readBits(int bytes) throws IOException {
    return switch (bytes) {
      case Byte.BYTES -> buffer.readByte();
      case Short.BYTES -> buffer.readShort();
      case Integer.BYTES -> buffer.readInt();
      default -> buffer.readLong();
    };
  }

  /**
   * Takes an object or null.
   *
   * @throws ClassNotFoundException if the class of something in it is not here
   */
  public @Nullable Object readObject() throws IOException, ClassNotFoundException {
    ObjectUnmarshaler objects = unmarshaler;
    return (objectsRead && objects != null ? objects : beginObjects()).unmarshal();
  }

  /**
   * Takes an object that must be of exactly this class, or null.
   *
   * @param type one of {@link ExactTypes}
   * @throws ClassCastException if something else comes; nothing of it has been made
   */
  public @Nullable Object readExactly(Class<?> type) throws IOException, ClassNotFoundException {
    ObjectUnmarshaler objects = unmarshaler;
    return (objectsRead && objects != null ? objects : beginObjects()).unmarshalExactly(type);
  }

  private ObjectUnmarshaler beginObjects() throws IOException {
    ObjectUnmarshaler objects = unmarshaler;
    if (objects == null) {
      objects = format.openUnmarshaler(this, buffer);
      unmarshaler = objects;
    }
    objectsRead = true;
    objects.beginMessage();
    return objects;
  }

  /**
   * Sets loader and filter, before the first object of a message is taken.
   *
   * @param defaultLoader where classes are looked for first; null to start with the context class
   *     loader
   * @param filter what may come, or null for the node's default
   */
  public void readFor(@Nullable ClassLoader defaultLoader, @Nullable ObjectInputFilter filter) {
    this.defaultLoader = defaultLoader;
    this.filter = filter;
  }

  /** Where classes are looked for first, or null. */
  public @Nullable ClassLoader defaultLoader() {
    return defaultLoader;
  }

  /** The filter for the current message, or null. */
  public @Nullable ObjectInputFilter filter() {
    return filter != null ? filter : translation.defaultFilter();
  }

  /** Keeps something with the message that is being read, for the code that ends it. */
  public void attach(Object something) {
    attachment = something;
  }

  /** The object that was {@linkplain #attach attached} to this message, or null. */
  public @Nullable Object attachment() {
    return attachment;
  }

  /** Takes the object that was {@linkplain #attach attached} to this message, or null. */
  public @Nullable Object takeAttachment() {
    Object taken = attachment;
    if (taken != null) {
      attachment = null;
    }
    return taken;
  }

  /** How remote objects cross. */
  public RemoteTranslation translation() {
    return translation;
  }

  /**
   * Called by a reference when it is unmarshalled: it is registered with its collector at the end
   * of the message.
   *
   * @param object what it refers to
   */
  public void referenceArrived(ObjectId object, Object reference) {
    arrived.add(reference);
    referencesArrived = true;
    Consumer<ObjectId> told = arrivals;
    if (told != null) {
      told.accept(object);
    }
  }

  /** Sets the listener that is told of each reference as soon as it is unmarshalled. */
  public void tellArrivals(Consumer<ObjectId> told) {
    arrivals = told;
  }

  /**
   * Called by a skeleton when it has read all arguments, before it calls the method: up to here a
   * failure is one of the arguments. References among them are registered with their collectors.
   */
  public void endArguments() throws IOException {
    List<Object> references = endMessage();
    if (lender != null) {
      lender.argumentsRead();
    }
    argumentsEnded = true;
    register(references);
  }

  /** Tells the collectors about references that {@link #endMessage} has returned. */
  public void register(List<Object> references) {
    if (!references.isEmpty()) {
      registering = true;
      try {
        translation.referencesArrived(references);
      } finally {
        registering = false;
      }
    }
  }

  /** True while the collectors are told. */
  public boolean isRegistering() {
    return registering;
  }

  /** True from {@link #endArguments} until the next message. */
  public boolean isArgumentsEnded() {
    return argumentsEnded;
  }

  /** Called by the technology when a message has come. */
  public void beginMessage() {
    argumentsEnded = false;
    defaultLoader = null;
    filter = null;
  }

  /** Called by the technology when calls on the same connection, made by the method, have ended. */
  public void resume() {
    argumentsEnded = true;
  }

  /**
   * Ends a message, and forgets its objects and who read it.
   *
   * @return the references that came in it, which are to be {@linkplain #register registered}
   */
  public List<Object> endMessage() throws IOException {
    defaultLoader = null;
    filter = null;
    if (objectsRead && unmarshaler != null) {
      objectsRead = false;
      unmarshaler.endMessage();
      if (typesGrew) {
        countTypes();
      }
    }
    return referencesArrived ? takeArrived() : List.of();
  }

  /**
   * For a peer that does not wait for an answer to each message. Types are kept until {@link
   * #startTypesAfresh}, though a renewal is wanted: messages that refer to them are on their way.
   */
  public void followEachOther() {
    pipelined = true;
  }

  /**
   * Called by the unmarshaler when it has enough types that it is to be given up after this
   * message: no table of a connection grows for ever. Called again after as many more.
   */
  public void typesAreMany() {
    typesFull = true;
    typesGrew = true;
  }

  /**
   * Called by the unmarshaler when the peer has described a type.
   *
   * @param bytes how much memory all that it knows take, about
   */
  public void typesTake(long bytes) {
    typeBytes = bytes;
    typesGrew = true;
  }

  /** Types for which there is no room are given up, and described again when they are needed. */
  private void countTypes() {
    typesGrew = false;
    if (!keepTypes(typeBytes) || typesFull) {
      typesFull = false;
      renewalWanted = true;
      if (!pipelined) {
        forgetTypes();
      }
    }
  }

  private boolean keepTypes(long bytes) {
    Ledger.Account memory = tables;
    if (memory != null && !memory.hold(bytes - typeBytesKept)) {
      return false;
    }
    typeBytesKept = bytes;
    return true;
  }

  /** How much more memory the peer's types take than could be kept for them. */
  public long uncountedTypeBytes() {
    return typeBytes - typeBytesKept;
  }

  private void forgetTypes() {
    unmarshaler = null;
    typesFull = false;
    typesGrew = false;
    typeBytes = 0;
    keepTypes(0);
  }

  /** Forgets all types: the next message describes its own. */
  public void startTypesAfresh() {
    forgetTypes();
    renewalWanted = false;
  }

  /**
   * Ends a message of which an object could not be read, with the buffer at the first object again
   * and limited to the message.
   *
   * @return whether the messages behind it can be read; else this one is {@linkplain
   *     #abandonMessage abandoned}
   */
  public boolean skipMessage() {
    ObjectUnmarshaler objects = unmarshaler;
    if (objects != null) {
      arrived.clear();
      referencesArrived = false;
      objectsRead = false;
      try {
        objects.skipMessage();
        if (typesGrew) {
          countTypes();
        }
        return true;
      } catch (IOException | RuntimeException e) {
        /* Ignored: the caller knows why the message cannot be read, which matters more. */
      }
    }
    abandonMessage();
    return false;
  }

  /**
   * Ends a message of which nothing is to be read, with the buffer at its first object and limited
   * to the message. No object is made, and no class looked for.
   *
   * @return as {@link #skipMessage}
   */
  public boolean passMessage() {
    if (unmarshaler == null) {
      try {
        unmarshaler = format.openUnmarshaler(this, buffer);
      } catch (IOException e) {
        abandonMessage();
        return false;
      }
    }
    return skipMessage();
  }

  /* A method of its own, so that the JIT inlines the frequent case. */
  private List<Object> takeArrived() {
    List<Object> references = List.copyOf(arrived);
    arrived.clear();
    referencesArrived = false;
    return references;
  }

  /**
   * Ends a message that could not be read to its end. The unmarshaler may have missed type numbers,
   * so it is given up, and the peer has to start with a fresh marshaler: see {@link #takeRenewal}.
   */
  public void abandonMessage() {
    arrived.clear();
    referencesArrived = false;
    objectsRead = false;
    forgetTypes();
    renewalWanted = true;
  }

  /**
   * True once after a message was abandoned, or its types became too many: the next frame must ask
   * the peer for {@link CallOutput#renew}.
   */
  public boolean takeRenewal() {
    boolean wanted = renewalWanted;
    renewalWanted = false;
    return wanted;
  }
}
