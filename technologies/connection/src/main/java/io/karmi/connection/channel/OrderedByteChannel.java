package io.karmi.connection.channel;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Ordered channel of bytes to another node: all that calls and messages need of a network.
 *
 * <p>Bytes arrive in the order in which they were sent, or not at all. One thread at a time
 * receives and sends; any thread may {@linkplain #close close}, which ends what that thread is
 * waiting for. Whether that thread is interrupted makes no difference to the channel.
 */
public abstract class OrderedByteChannel implements Closeable {
  /**
   * Waits for bytes and takes those that are there.
   *
   * @return how many; at least 1, or −1 if the other end has closed the channel
   * @throws java.net.SocketTimeoutException if the time that {@link #setReceiveTimeout} allows has
   *     passed; the channel can still be used
   * @throws IOException if the channel has failed or is closed
   */
  public abstract int receive(byte[] to, int offset, int length) throws IOException;

  /**
   * Hands over all of the bytes, waiting for room if need be.
   *
   * @throws NothingSentException if the channel has failed, and certainly has not handed over all
   * @throws IOException if the channel has failed or is closed; then the other end never gets the
   *     last of these bytes, so that it cannot execute the message to which they belong, unless
   *     {@link #isSentInDoubt} says otherwise
   */
  public abstract void send(byte[] from, int offset, int length) throws IOException;

  /**
   * Sends as {@link #send}, after a pause in which the other end may have gone.
   *
   * <p>Where it has gone, this should fail: the call then goes to a fresh connection. A network
   * whose first write to a closed end succeeds sends the first bytes by themselves.
   *
   * @param headBytes how many of the bytes may go ahead of the others: fewer than {@code length},
   *     and of no use to the other end without them
   */
  public void sendAfterPause(byte[] from, int offset, int length, int headBytes)
      throws IOException {
    send(from, offset, length);
  }

  /**
   * Hands over a few bytes while no other thread sends, though one may receive.
   *
   * @return false if there is no room now, and nothing was handed over. A network that cannot tell
   *     waits for room instead, until another thread closes the channel
   * @throws IOException if the channel has failed or is closed
   */
  public boolean offer(byte[] from, int offset, int length) throws IOException {
    send(from, offset, length);
    return true;
  }

  /**
   * Has the thread that receives find the end of what comes, behind what has come. Does not wait,
   * and may be called by any thread.
   *
   * @return false in a network that cannot do that
   */
  public boolean endInput() throws IOException {
    return false;
  }

  /** Whether {@link #send} only copies bytes into memory, and needs no system call each time. */
  public boolean isMemory() {
    return false;
  }

  /**
   * Whether the other end may have got all bytes of a {@link #send} that fails: where there are
   * layers between this end and the network, such as TLS.
   */
  public boolean isSentInDoubt() {
    return false;
  }

  /**
   * Whether {@link #setReceiveTimeout} is known to work, so that an idle channel can be checked.
   * Otherwise it is closed when it has been idle for a moment.
   */
  public boolean isCheckable() {
    return true;
  }

  /**
   * The loss of the channel behind an error of the JVM; null for another error. Memory that is
   * shared with another process may vanish. The JVM throws an error for that a moment later, in
   * unrelated code.
   */
  public @Nullable IOException lossBy(InternalError error) {
    return null;
  }

  /** The loss of the channel behind an error of the JVM; throws any other error. */
  public final IOException lossOrThrow(InternalError error) {
    IOException loss = lossBy(error);
    if (loss == null) {
      throw error;
    }
    return loss;
  }

  /** Lets {@link #receive} wait for at most that many milliseconds; 0 for ever, as at first. */
  public abstract void setReceiveTimeout(int millis) throws IOException;

  /**
   * Called when the channel may be silent for hours, and its end matters. A network that does not
   * report a lost peer by itself has to look for it.
   */
  public void expectSilence() {}

  /** Allows one thread to send while another receives. Called once, before either does. */
  public void beDuplex() {}

  /** The host of the other end, as {@code RemoteServer.getClientHost} shows it. */
  public abstract String peerName();

  /** Closes the channel; without effect if it is closed. */
  @Override
  public abstract void close();
}
