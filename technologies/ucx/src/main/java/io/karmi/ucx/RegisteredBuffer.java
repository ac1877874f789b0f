package io.karmi.ucx;

import java.nio.ByteBuffer;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpMemory;

/**
 * Native memory for one piece of a large array, registered with UCX once, so that a network may
 * read and write it by itself.
 */
final class RegisteredBuffer {
  /** The longest piece. */
  static final int CAPACITY = 256 * 1024;

  final ByteBuffer bytes;
  final long address;
  private final UcpMemory registration;

  RegisteredBuffer(UcpContext context) {
    bytes = ByteBuffer.allocateDirect(CAPACITY);
    registration = context.registerMemory(bytes);
    address = UcxUtils.getAddress(bytes);
  }

  /** Ends the registration; the memory itself goes with the object. */
  void release() {
    registration.deregister();
  }
}
