package io.karmi.benchmarks.messaging;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Netty with frames that begin with their length: what its users build messages on. Messages are
 * flushed 64 KB at a time, requests at once.
 *
 * <p>A frame has an int32 with its length, a byte with its kind, and content; an answer has no
 * kind.
 */
final class NettyPeer implements MessageSender {
  private static final byte MESSAGE = 0;
  private static final byte REQUEST = 1;
  private static final byte COUNT = 2;

  private static final int LARGEST_BYTES = 16 << 20;
  private static final int HEADER_BYTES = Integer.BYTES + 1;
  private static final long PATIENCE_SECONDS = 60;

  /** Pause of a sender whose channel has enough to write. */
  private static final long PAUSE_NANOS = 20_000;

  private final Channel channel;
  private final byte[] content = new byte[8 << 20];
  private final AtomicInteger unflushed = new AtomicInteger();
  private final BlockingQueue<Long> answers = new LinkedBlockingQueue<>();

  NettyPeer(int port) throws IOException {
    Bootstrap bootstrap =
        new Bootstrap()
            .group(group())
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel made) {
                    made.pipeline().addLast(frames(), new Answers());
                  }
                });
    channel =
        bootstrap.connect(new InetSocketAddress("127.0.0.1", port)).syncUninterruptibly().channel();
  }

  /** Serves in threads of its own; returns the port. */
  static int serve() {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(group())
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel made) {
                    made.pipeline().addLast(frames(), new Counting());
                  }
                });
    Channel listening = bootstrap.bind("127.0.0.1", 0).syncUninterruptibly().channel();
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  private static EventLoopGroup group() {
    return new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  }

  private static LengthFieldBasedFrameDecoder frames() {
    return new LengthFieldBasedFrameDecoder(LARGEST_BYTES, 0, Integer.BYTES, 0, Integer.BYTES);
  }

  /** The end that receives. */
  private static final class Counting extends SimpleChannelInboundHandler<ByteBuf> {
    private long arrived;

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
      byte kind = frame.readByte();
      if (kind == COUNT) {
        ByteBuf answer = context.alloc().buffer(Integer.BYTES + Long.BYTES);
        context.write(answer.writeInt(Long.BYTES).writeLong(arrived), context.voidPromise());
        return;
      }
      arrived++;
      if (kind == REQUEST) {
        int length = frame.readableBytes();
        ByteBuf answer = context.alloc().buffer(Integer.BYTES + length);
        context.write(answer.writeInt(length).writeBytes(frame), context.voidPromise());
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }

  /** The end that sends. */
  private final class Answers extends SimpleChannelInboundHandler<ByteBuf> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
      answers.add(frame.readableBytes() >= Long.BYTES ? frame.getLong(0) : 0);
    }
  }

  @Override
  public boolean runs(MessageKernel kernel) {
    boolean asks = !kernel.isOneWay();
    return kernel != MessageKernel.FOUR_INTS
        && !(asks && kernel.threads > 1)
        && kernel.ordinal() < MessageKernel.REQUEST_AMONG_LARGE.ordinal();
  }

  @Override
  public void send(int bytes) {
    while (!channel.isWritable()) {
      channel.flush();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    channel.write(frame(MESSAGE, bytes), channel.voidPromise());
    if (unflushed.addAndGet(HEADER_BYTES + bytes) >= RawSender.PIECE_BYTES) {
      flush();
    }
  }

  private ByteBuf frame(byte kind, int bytes) {
    ByteBuf frame = channel.alloc().buffer(HEADER_BYTES + bytes);
    return frame.writeInt(1 + bytes).writeByte(kind).writeBytes(content, 0, bytes);
  }

  @Override
  public void flush() {
    unflushed.set(0);
    channel.flush();
  }

  @Override
  public void request(int bytes) throws IOException {
    ask(REQUEST, bytes);
  }

  @Override
  public long arrived() throws IOException {
    return ask(COUNT, 0);
  }

  private long ask(byte kind, int bytes) throws IOException {
    channel.writeAndFlush(frame(kind, bytes), channel.voidPromise());
    try {
      Long answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (answer == null) {
        throw new IOException("no answer by Netty in " + PATIENCE_SECONDS + " s");
      }
      return answer;
    } catch (InterruptedException e) {
      throw new IOException("interrupted while Netty was asked", e);
    }
  }
}
