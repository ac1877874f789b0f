package io.karmi.ucx;

import java.nio.ByteBuffer;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpMemory;

/**
 * Native memory for one piece of a large array, registered with UCX, so that a network can read and
 * write it directly.
 */
final class RegisteredBuffer {
  /** Length of the longest piece, in bytes. */
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
