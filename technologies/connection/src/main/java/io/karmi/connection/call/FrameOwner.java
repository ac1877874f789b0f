package io.karmi.connection.call;

import io.karmi.connection.channel.OrderedByteChannel;
import java.io.IOException;

/** The connection of frames, as far as these need it. */
interface FrameOwner {
  /** The channel that carries the frames. */
  OrderedByteChannel channel();

  /** Ends the connection. */
  void close();

  /** Called when the node at the other end has told that it ends. */
  void peerEnds();

  /** Called before a part of a reply leaves, of which more follows. */
  void replyLeaves();

  /** Skips the rest of the message that has come. */
  void skipMessage() throws IOException;

  /** True once after a message could not be read: the next frame must tell the other end. */
  boolean takeRenewal();
}
