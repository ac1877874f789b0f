package io.karmi.benchmarks.messaging;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.karmi.benchmarks.peers.GrpcCall;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * gRPC-java: one stream in each direction. The sender waits while gRPC says that the stream is not
 * ready for more, and the receiver gets an array for each message.
 *
 * <p>A message has a byte with its kind, and content; an answer has no kind.
 */
final class GrpcPeer extends BytesSender {
  private static final String SERVICE = "karmi.Messages";
  private static final MethodDescriptor<byte[], byte[]> METHOD =
      GrpcCall.method(SERVICE, MethodDescriptor.MethodType.BIDI_STREAMING);

  private final BlockingQueue<Long> answers = new LinkedBlockingQueue<>();
  private final ClientCallStreamObserver<byte[]> out;
  private volatile @Nullable Throwable lost;

  GrpcPeer(String port) {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(address).usePlaintext().directExecutor().build();
    out =
        (ClientCallStreamObserver<byte[]>)
            ClientCalls.asyncBidiStreamingCall(
                channel.newCall(METHOD, CallOptions.DEFAULT), new Answers());
  }

  /** Serves in threads of its own; returns the port. */
  static String serve() throws IOException {
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .directExecutor()
            .addService(
                ServerServiceDefinition.builder(SERVICE)
                    .addMethod(METHOD, ServerCalls.asyncBidiStreamingCall(Receiver::new))
                    .build())
            .build()
            .start();
    return Integer.toString(server.getPort());
  }

  /** The end that receives. */
  private static final class Receiver implements StreamObserver<byte[]> {
    private final StreamObserver<byte[]> answers;
    private final Received received = new Received();

    Receiver(StreamObserver<byte[]> answers) {
      this.answers = answers;
    }

    @Override
    public void onNext(byte[] message) {
      byte kind = message[0];
      long number = hasNumber(kind) ? ByteBuffer.wrap(message).getLong(1) : 0;
      long answer = received.take(kind, number);
      if (kind == REQUEST) {
        answers.onNext(Arrays.copyOfRange(message, 1, message.length));
      } else if (isQuestion(kind)) {
        answers.onNext(ByteBuffer.allocate(Long.BYTES).putLong(answer).array());
      }
    }

    @Override
    public void onError(Throwable failure) {
      /* The sender has ended. */
    }

    @Override
    public void onCompleted() {
      answers.onCompleted();
    }
  }

  /** What comes back to the end that sends, and tells it when the stream is ready again. */
  private final class Answers implements ClientResponseObserver<byte[], byte[]> {
    @Override
    public void beforeStart(ClientCallStreamObserver<byte[]> stream) {
      stream.setOnReadyHandler(GrpcPeer.this::wake);
    }

    @Override
    public void onNext(byte[] answer) {
      answers.add(answer.length >= Long.BYTES ? ByteBuffer.wrap(answer).getLong() : 0);
    }

    @Override
    public void onError(Throwable failure) {
      lost = failure;
      wake();
    }

    @Override
    public void onCompleted() {
      /* Only when this end has ended. */
    }
  }

  private synchronized void wake() {
    notifyAll();
  }

  @Override
  synchronized void write(byte kind, long number, int bytes) throws IOException {
    ByteBuffer message = ByteBuffer.allocate(1 + bytes).put(kind);
    if (hasNumber(kind)) {
      message.putLong(number);
    }
    try {
      while (!out.isReady()) {
        if (lost != null) {
          throw new IOException("gRPC's stream was lost", lost);
        }
        wait();
      }
    } catch (InterruptedException e) {
      throw new IOException("interrupted while gRPC was not ready", e);
    }
    out.onNext(message.array());
  }

  @Override
  long ask(byte kind, long number, int bytes) throws IOException {
    write(kind, number, bytes);
    return next(answers, "gRPC");
  }
}
