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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Netty with frames that begin with their length: what its users build messages on. Messages are
 * flushed 64 KB at a time, requests at once.
 *
 * <p>A frame has an int32 with its length, a byte with its kind, and content; an answer has no
 * kind.
 */
final class NettyPeer extends BytesSender {
  private static final int LARGEST_BYTES = 16 << 20;
  private static final int HEADER_BYTES = Integer.BYTES + 1;

  /** Pause of a sender whose channel has enough to write. */
  private static final long PAUSE_NANOS = 20_000;

  private final Channel channel;
  private final byte[] content = new byte[8 << 20];
  private final AtomicInteger unflushed = new AtomicInteger();
  private final BlockingQueue<Long> answers = new LinkedBlockingQueue<>();

  NettyPeer(String port) {
    channel =
        new Bootstrap()
            .group(group())
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(handlers(Answers::new))
            .connect(new InetSocketAddress("127.0.0.1", Integer.parseInt(port)))
            .syncUninterruptibly()
            .channel();
  }

  /** Serves in threads of its own; returns the port. */
  static String serve() {
    Channel listening =
        new ServerBootstrap()
            .group(group())
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(handlers(Receiver::new))
            .bind("127.0.0.1", 0)
            .syncUninterruptibly()
            .channel();
    return Integer.toString(((InetSocketAddress) listening.localAddress()).getPort());
  }

  private static EventLoopGroup group() {
    return new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  }

  private static ChannelInitializer<Channel> handlers(
      Supplier<SimpleChannelInboundHandler<ByteBuf>> last) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel made) {
        made.pipeline()
            .addLast(
                new LengthFieldBasedFrameDecoder(LARGEST_BYTES, 0, Integer.BYTES, 0, Integer.BYTES),
                last.get());
      }
    };
  }

  /** The end that receives. */
  private static final class Receiver extends SimpleChannelInboundHandler<ByteBuf> {
    private final Received received = new Received();

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
      byte kind = frame.readByte();
      long number = hasNumber(kind) ? frame.getLong(frame.readerIndex()) : 0;
      long answer = received.take(kind, number);
      if (kind == REQUEST) {
        int length = frame.readableBytes();
        ByteBuf reply = context.alloc().buffer(Integer.BYTES + length);
        context.write(reply.writeInt(length).writeBytes(frame), context.voidPromise());
      } else if (isQuestion(kind)) {
        ByteBuf reply = context.alloc().buffer(Integer.BYTES + Long.BYTES);
        context.write(reply.writeInt(Long.BYTES).writeLong(answer), context.voidPromise());
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
  void write(byte kind, long number, int bytes) {
    while (!channel.isWritable()) {
      channel.flush();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    channel.write(frame(kind, number, bytes), channel.voidPromise());
    if (unflushed.addAndGet(HEADER_BYTES + bytes) >= SocketPeer.PIECE_BYTES) {
      flush();
    }
  }

  private ByteBuf frame(byte kind, long number, int bytes) {
    ByteBuf frame = channel.alloc().buffer(HEADER_BYTES + bytes).writeInt(1 + bytes);
    frame.writeByte(kind);
    return hasNumber(kind)
        ? frame.writeLong(number).writeBytes(content, 0, bytes - Long.BYTES)
        : frame.writeBytes(content, 0, bytes);
  }

  @Override
  public void flush() {
    unflushed.set(0);
    channel.flush();
  }

  @Override
  long ask(byte kind, long number, int bytes) throws IOException {
    channel.writeAndFlush(frame(kind, number, bytes), channel.voidPromise());
    return next(answers, "Netty");
  }
}
