package io.karmi.benchmarks.peers;

import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** gRPC's one method: the first byte of a request says what is called, its arguments follow. */
public final class GrpcCall {
  static final String SERVICE = "karmi.Ping";

  static final byte PING = 0;
  static final byte TWO_INTS = 1;
  static final byte INTS_AND_FLOATS = 2;
  static final byte OBJECT = 3;
  static final byte TAKE = 4;
  static final byte TAKEN = 5;
  static final byte CHECKSUM = 6;
  static final byte USE = 7;
  static final byte STOP = 8;

  static final MethodDescriptor<byte[], byte[]> METHOD =
      method(SERVICE, MethodDescriptor.MethodType.UNARY);

  private GrpcCall() {}

  /** The one method of a service that takes arrays, and answers with them. */
  public static MethodDescriptor<byte[], byte[]> method(
      String service, MethodDescriptor.MethodType type) {
    return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(service, "Call"))
        .build();
  }

  /** Messages are arrays already. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new KnownBytes(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Lets gRPC write the length before the bytes without a copy. */
  private static final class KnownBytes extends ByteArrayInputStream implements KnownLength {
    KnownBytes(byte[] bytes) {
      super(bytes);
    }
  }
}
