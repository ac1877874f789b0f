package io.karmi.benchmarks.peers;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.karmi.benchmarks.kernels.Ping;
import io.karmi.benchmarks.kernels.Pings;
import io.karmi.benchmarks.measure.Tasks;
import io.karmi.benchmarks.measure.Use;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.rmi.MarshalException;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/** gRPC's client: works as {@link io.karmi.benchmarks.kernels.KernelClient} does. */
public final class GrpcClient implements Ping {
  private final ManagedChannel channel;

  private GrpcClient(ManagedChannel channel) {
    this.channel = channel;
  }

  public static void main(String[] args) throws Exception {
    InetSocketAddress address = PeerAddress.parse(args[1]);
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(address).usePlaintext().directExecutor().build();
    GrpcClient client = new GrpcClient(channel);
    new Tasks(name -> Pings.kernel(client, name), client::use).serve(System.in, System.out);
    client.stop();
    channel.shutdownNow();
  }

  private byte[] call(byte[] request) throws RemoteException {
    try {
      return ClientCalls.blockingUnaryCall(channel, GrpcCall.METHOD, CallOptions.DEFAULT, request);
    } catch (StatusRuntimeException e) {
      throw new RemoteException("gRPC failed", e);
    }
  }

  private void stop() {
    try {
      call(new byte[] {GrpcCall.STOP});
    } catch (RemoteException e) {
      /* The server is free to be gone before its answer is out. */
    }
  }

  private Use use() throws RemoteException {
    ByteBuffer answer = ByteBuffer.wrap(call(new byte[] {GrpcCall.USE}));
    return new Use(answer.getLong(), answer.getLong());
  }

  @Override
  public void ping() throws RemoteException {
    call(new byte[] {GrpcCall.PING});
  }

  @Override
  public void ping(int a, int b) throws RemoteException {
    call(ByteBuffer.allocate(9).put(GrpcCall.TWO_INTS).putInt(a).putInt(b).array());
  }

  @Override
  public void ping(int a, int b, float c, float d) throws RemoteException {
    ByteBuffer request = ByteBuffer.allocate(17).put(GrpcCall.INTS_AND_FLOATS);
    call(request.putInt(a).putInt(b).putFloat(c).putFloat(d).array());
  }

  @Override
  public @Nullable Object ping(@Nullable Object argument) throws RemoteException {
    return object(call(request(GrpcCall.OBJECT, argument)));
  }

  @Override
  public void take(@Nullable Object argument) throws RemoteException {
    call(request(GrpcCall.TAKE, argument));
  }

  @Override
  public @Nullable Object taken() throws RemoteException {
    return object(call(new byte[] {GrpcCall.TAKEN}));
  }

  @Override
  public long checksum() throws RemoteException {
    return ByteBuffer.wrap(call(new byte[] {GrpcCall.CHECKSUM})).getLong();
  }

  private static byte[] request(byte call, @Nullable Object argument) throws RemoteException {
    try {
      return PayloadBytes.message(argument, call);
    } catch (IOException e) {
      throw new MarshalException("gRPC", e);
    }
  }

  private static @Nullable Object object(byte[] response) throws RemoteException {
    try {
      return PayloadBytes.read(ByteBuffer.wrap(response));
    } catch (IOException e) {
      throw new MarshalException("gRPC", e);
    }
  }
}
