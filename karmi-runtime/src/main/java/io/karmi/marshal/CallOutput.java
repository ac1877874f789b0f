package io.karmi.marshal;

import io.karmi.id.NodeId;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Output to which stubs write arguments, and skeletons results.
 *
 * <p>Primitive values go into the technology's buffer directly, objects through the connection's
 * {@link CallFormat}. A technology keeps one per connection and calls the message methods; stubs
 * and skeletons call {@code write…} only, and {@link #beginResult}. Not thread-safe: it belongs to
 * the thread that uses the connection.
 */
public final class CallOutput {
  /** First byte of a reply: the method returned, its result follows. */
  public static final int RETURNED = 0;

  /** First byte of a reply: something was thrown, it follows as an object. */
  public static final int THROWN = 1;

  /**
   * First byte of a reply: the method ran, but its outcome cannot be sent; the reason follows as an
   * object.
   */
  public static final int RESULT_LOST = 2;

  /** Bytes of memory of something that is pinned and is no {@link Pinned}: the program has it. */
  static final long PINNED_BYTES = 64;

  /** The technology's memory; stubs may store into it as a marshaler does. */
  public final OutputBuffer buffer;

  private final CallFormat format;
  private final RemoteTranslation translation;
  private final NodeId receiver;
  private final ArrayList<Object> pinned = new ArrayList<>(0);

  /** Size of the list, so that the list need not be read. */
  private int pinnedCount;

  private @Nullable ObjectMarshaler marshaler;
  private @Nullable Supplier<String> host;
  private Object receiverIdentity;

  /** Number of objects that were pinned and released again. */
  private long unpinned;

  /** The mark at which the current message began. */
  private long messageMark;

  /** The mark at which the message before it began. */
  private long lastMessageMark;

  private boolean objectsWritten;
  private boolean replyBegun;

  /**
   * Made by a technology, one per connection.
   *
   * @param receiver the node at the other end
   */
  public CallOutput(
      OutputBuffer buffer, CallFormat format, RemoteTranslation translation, NodeId receiver) {
    this.buffer = buffer;
    this.format = format;
    this.translation = translation;
    this.receiver = receiver;
    receiverIdentity = receiver;
  }

  /** Appends a boolean. */
  public void writeBoolean(boolean value) throws IOException {
    buffer.writeBoolean(value);
  }

  /** Appends a byte. */
  public void writeByte(int value) throws IOException {
    buffer.writeByte(value);
  }

  /** Appends a char. */
  public void writeChar(int value) throws IOException {
    buffer.writeChar(value);
  }

  /** Appends a short. */
  public void writeShort(int value) throws IOException {
    buffer.writeShort(value);
  }

  /** Appends an int. */
  public void writeInt(int value) throws IOException {
    buffer.writeInt(value);
  }

  /** Appends a long. */
  public void writeLong(long value) throws IOException {
    buffer.writeLong(value);
  }

  /** Appends a float. */
  public void writeFloat(float value) throws IOException {
    buffer.writeFloat(value);
  }

  /** Appends a double. */
  public void writeDouble(double value) throws IOException {
    buffer.writeDouble(value);
  }

  /**
   * Appends an object or null; exported objects travel as their stubs.
   *
   * @throws IOException if something in it cannot be serialized
   */
  public void writeObject(@Nullable Object object) throws IOException {
    ObjectMarshaler objects = marshaler;
    (objectsWritten && objects != null ? objects : beginObjects()).marshal(object);
  }

  private ObjectMarshaler beginObjects() throws IOException {
    ObjectMarshaler objects = marshaler;
    if (objects == null) {
      objects = format.openMarshaler(this, buffer);
      marshaler = objects;
    }
    objectsWritten = true;
    objects.beginMessage();
    return objects;
  }

  /**
   * Called by a skeleton when the method has returned, before it writes the result: from here on a
   * failure is one of the result, no longer of the method.
   */
  public void beginResult() throws IOException {
    beginReply(RETURNED);
  }

  /** Begins a reply with its outcome. */
  public void beginReply(int outcome) throws IOException {
    replyBegun = true;
    buffer.writeByte(outcome);
  }

  /** True between {@link #beginReply} and the end of the message. */
  public boolean isReplyBegun() {
    return replyBegun;
  }

  /** How remote objects cross. */
  public RemoteTranslation translation() {
    return translation;
  }

  /** Sets the proven identity of the receiver. */
  public void tellIdentity(Object proven) {
    receiverIdentity = proven;
  }

  /**
   * The proven identity of the receiver: equal to the identity of a caller only if that is the same
   * node. It is the node id if the technology has set nothing else.
   */
  public Object receiverIdentity() {
    return receiverIdentity;
  }

  /** Sets how the receiver's host is found out. */
  public void tellHost(Supplier<String> wanted) {
    host = wanted;
  }

  /** The receiver's technology and host; its node where there are no hosts. */
  public String receiverHost() {
    Supplier<String> known = host;
    return known == null ? receiver.toString() : known.get();
  }

  /**
   * Keeps something alive that this message refers to, until {@link #unpin}: called by references
   * when they are marshalled, so that nothing is collected while the only reference to it is in
   * flight. A {@link Pinned} is told if the message does not arrive.
   */
  public void pin(Object referenced) {
    pinned.add(referenced);
    pinnedCount++;
  }

  /** A mark behind all that has been pinned so far, for {@link #unpin}. */
  public long pinMark() {
    return unpinned + pinnedCount;
  }

  /**
   * Lets go of what was pinned before a mark: called by the technology when the receiver has
   * registered the references in the messages until then, or is gone.
   */
  public void unpin(long mark) {
    int count = (int) Math.min(mark - unpinned, pinnedCount);
    if (count > 0) {
      pinned.subList(0, count).clear();
      pinnedCount -= count;
      unpinned += count;
    }
  }

  /** Bytes of memory that what is pinned keeps, about. */
  public long pinnedBytes() {
    return pinnedBytes(unpinned);
  }

  /** Bytes of memory that what was pinned since a mark keeps, about. */
  public long pinnedBytes(long mark) {
    long bytes = 0;
    for (int i = (int) Math.max(0, mark - unpinned); i < pinnedCount; i++) {
      Object each = pinned.get(i);
      bytes += each instanceof Pinned ? ((Pinned) each).pinnedBytes() : PINNED_BYTES;
    }
    return bytes;
  }

  /** What is pinned and was not let go of, when the connection has ended. */
  public List<Object> pinnedToTheEnd() {
    return List.copyOf(pinned);
  }

  /**
   * Forgets the objects of a message: a technology may call this when all of it is marshalled,
   * before the rest is handed to the network, while the objects still are in the processor's
   * caches. After this the message is ended or lost.
   */
  public void endObjects() throws IOException {
    if (objectsWritten && marshaler != null) {
      objectsWritten = false;
      marshaler.endMessage();
    }
  }

  /** Called by the technology after the message was handed to the network. */
  public void endMessage() throws IOException {
    endObjects();
    replyBegun = false;
    lastMessageMark = messageMark;
    messageMark = pinMark();
  }

  /** Called in place of {@link #endObjects} if no byte of the message has left this node. */
  public void discardMessage() throws IOException {
    replyBegun = false;
    notArrived(messageMark);
    if (objectsWritten && marshaler != null) {
      objectsWritten = false;
      marshaler.discardMessage();
    }
  }

  /** Called if the message could not be sent to its end; the connection is of no more use. */
  public void loseMessage() {
    notArrived(messageMark);
  }

  /**
   * Called when the peer could not read a message to its end: the next one starts with a fresh
   * marshaler.
   */
  public void renew() {
    marshaler = null;
    notArrived(lastMessageMark);
    messageMark = pinMark();
  }

  /** Describes types afresh from the next message on; those before it may still arrive. */
  public void startTypesAfresh() {
    marshaler = null;
  }

  /** Lets go of what was pinned since a mark, and tells it that it has not arrived. */
  private void notArrived(long mark) {
    List<Object> since = pinned.subList((int) Math.max(0, mark - unpinned), pinned.size());
    for (Object each : since) {
      if (each instanceof Pinned) {
        ((Pinned) each).notArrived();
      }
    }
    since.clear();
    pinnedCount = pinned.size();
  }
}
