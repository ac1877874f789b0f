package io.karmi.benchmarks.peers;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.karmi.benchmarks.kernels.Answers;
import io.karmi.benchmarks.measure.Parent;
import io.karmi.benchmarks.measure.Use;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * gRPC's server: calls are executed by the network's threads ({@code directExecutor}), as they do
 * not block. Prints its port, and lives until it is stopped.
 */
public final class GrpcServer extends Answers {
  private final CountDownLatch stopped = new CountDownLatch(1);

  private GrpcServer() {}

  public static void main(String[] args) throws Exception {
    GrpcServer calls = new GrpcServer();
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(PeerAddress.ofThisJvm(), 0))
            .directExecutor()
            .addService(calls.service())
            .build()
            .start();
    System.out.println("port " + server.getPort());
    Parent.endWithIt();
    calls.stopped.await();
    Parent.stopWaiting();
    /* The client's connection may outlive its last answer. */
    server.shutdown().awaitTermination(1, TimeUnit.SECONDS);
    System.exit(0);
  }

  private ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(GrpcCall.SERVICE)
        .addMethod(
            GrpcCall.METHOD,
            ServerCalls.asyncUnaryCall(
                (request, answer) -> {
                  try {
                    answer.onNext(call(ByteBuffer.wrap(request)));
                    answer.onCompleted();
                  } catch (IOException e) {
                    answer.onError(e);
                  }
                }))
        .build();
  }

  private byte[] call(ByteBuffer request) throws IOException {
    switch (request.get()) {
      case GrpcCall.PING -> ping();
      case GrpcCall.TWO_INTS -> ping(request.getInt(), request.getInt());
      case GrpcCall.INTS_AND_FLOATS ->
          ping(request.getInt(), request.getInt(), request.getFloat(), request.getFloat());
      case GrpcCall.OBJECT -> {
        return PayloadBytes.message(PayloadBytes.read(request));
      }
      case GrpcCall.TAKE -> take(PayloadBytes.read(request));
      case GrpcCall.TAKEN -> {
        return PayloadBytes.message(taken());
      }
      case GrpcCall.CHECKSUM -> {
        return ByteBuffer.allocate(8).putLong(checksum()).array();
      }
      case GrpcCall.USE -> {
        Use use = Use.ofThisJvm();
        return ByteBuffer.allocate(16)
            .putLong(use.allocatedBytes())
            .putLong(use.cpuNanos())
            .array();
      }
      case GrpcCall.STOP -> stopped.countDown();
      default -> throw new IOException("unknown call");
    }
    return new byte[0];
  }
}
